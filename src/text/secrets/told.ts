/**
 * What people say as a secret in a chat, each in their own way, and what commands take as one.
 *
 * Each group is looked through only where the sign stands that all of it has.
 */

import { COMMANDS, type Ways } from "./commands.js";

/** As they are said aloud: six one four nine, 九零二八. */
const ENGLISH_DIGIT =
  "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|double|hash|pound|star)";
const HAN_DIGITS = "[零〇一二三四五六七八九幺两]";

/** Words with digits that everybody writes. */
export const EVERYDAY =
  /^(?:7z(?:ip)?|covid-?\d+|argon2(?:id?|d)?|jinja2|bcrypt\d?|pbkdf2|windows?-?\d+|win\d+|python\d[\d.]*|java\d+|php\d+|node\d+|vue\d|angular\d+|sha-?\d+|base\d+|utf-?\d+|ipv\d|oauth\d|log4j\d?|web\d|html\d|css\d|mp\d|mpeg\d|h\d{3}|top\d+|day\d+|week\d+|year\d+|chapter\d+|step\d+|part\d+|line\d+|page\d+|version\d+|v\d+(?:\.\d+)+|test\d+|user\d+|item\d+|table\d+|room\d+|level\d+|iphone\d+[a-z]*|ps\d|xbox\d+|gpt-?\d[a-z]*|llama\d[a-z]*|qwen\d[a-z]*|claude\d?|area\d+|\d+[a-z]{1,4})$/i;

/** With a digit, or two words that a mark joins: Stapler+Lamp. */
export const MADE = /\d|^[A-Z][a-z]{2,}[*+~&^%$#@!][A-Z][a-z]{2,}$/;

export const TOLD: readonly Ways[] = [
  ...COMMANDS,
  {
    sign: /(?:security|secret|challenge|recovery) (?:question|answer)|maiden name|密保|(?:安全|提示|找回|[验驗][证證])(?:[问問][题題]|提[问問])/i,
    shapes: [
      /(?<=(?:(?:[Ss]ecurity|[Ss]ecret|[Cc]hallenge|[Rr]ecovery) (?:question|answer)|[Mm]aiden name)[^\n]{0,100}?(?:\bis|:|=|[→>–—]| -|\bput|\bsay|\b[Aa]nswer(?:ed|s)?(?: with| as)?|\buse|\bname)[ ]{1,2}["'“]?)(?!(?:What|Which|Who|Where|When|How|Your?|The|In|My|It|If|I|This|Yes|No|And|Use|Please|For)\b)(?:(?:Mrs?\. )?\p{Lu}[\p{L}\d'’-]{2,30}(?: \p{Lu}[\p{L}\d'’-]{1,30}){0,3}|\p{Script=Han}{2,20})/gu,
      /(?<=(?:(?:security|secret|challenge|recovery) (?:question|answer)|maiden name)[^\n]{0,100}\b(?:answer(?:ed|s)?(?:[^\n.]{0,20}? is:?|:| as| it)?|put|say) ["'“]?)(?!(?:is|with|on|to|the|it|for|should|was|that|an?|my|your|in)\b)[^\s"'“][^\n".,;:”]{2,40}/gi,
      /(?<=(?:密保|(?:安全|提示|找回|[验驗][证證])(?:[问問][题題]|提[问問]))[^\n]{0,60}(?:答案|填|就?[说說])[^\n]{0,4}?(?:[是:填说說]\s?["“「]?|["“「]|\s{0,2}(?=[A-Z])))(?![^\n，。,]{0,12}(?:吗|什么|怎么|哪|谁))[^\s"“”「」，。,\n是:填][^\n"“”「」，。,(（]{1,30}/g,
    ],
  },
  {
    sign: /account recovery|security[ _]answer|(?:first|primary) (?:pet|school|car)|maiden|答案/i,
    shapes: [
      /(?<=(?:account recovery|security[ _]answer|(?:first|primary) (?:pet|school|car)|maiden)[^\n]{0,100}(?:\b(?:is|as|to)\b|[=:])\s?["'“「]?)(?!(?:What|Which|Who|Where|When|How|Your?|The|In|My|It|If|I)\b)(?:\p{Script=Han}{3,20}|\p{Lu}[\p{L}'’-]{2,20}(?: [\p{L}'’-]{1,20}){0,4})(?=["'”」。.,，;)\n]|$)/gu,
      /(?<=(?:[问問]我|密保|安全[问問])[^\n]{0,60}答案[^\n是]{0,6}[是:为為]\s?["“「]?)(?!什么|多少|哪|谁)\p{Script=Han}{3,20}(?=["”」。，,.]|$)/gu,
    ],
  },
  {
    sign: /[」”"][，,]?\s?(?:[这這那]?就?是)?(?:我们的?|我們的?|our |the )?(?:暗[号號]|口令|通[关關])/,
    shapes: [
      /(?<=[「“"])[^「“"」”\n]{3,30}(?=[」”"][，,]?\s?(?:[这這那]?就?是)?(?:我们的?|我們的?)?(?:暗[号號]|口令|通[关關]))/g,
    ],
  },
  {
    sign: /\b(?:use|using|with|enter|type|try|key in|punch in|dial|press|code|opens|unlocks|in|on|needs?) ["'`*]{0,2}[!-~]{4}|[用拿]\s?[!-~]{5}/i,
    shapes: [
      /(?<=[ "'`*])(?<=\b(?:un)?(?:zip|pdf|lock|protect|sudo|archive|sheet|workbook|vpn|decrypt|encrypted|opens?|open it|log(?:s|ged)? in|sign(?:s|ed)? in)\b[^\n.]{0,60}?\b(?:with|using|use|enter|type|try|on) ["'`*]{0,2})(?=[!-~]{0,40}(?:\d|[A-Za-z][&^$#@!~*]))(?=[!-~]{0,40}[a-z])(?![\w.]+\()[^\s/:"'`=(),]{5,64}/gi,
      /(?<=[ "'`*])(?<=\b(?:use|using|need|needs|enter|type|try|key in|punch in) ["'`*]{0,2})(?=[!-~]{0,40}(?:\d|[A-Za-z][&^$#@!~*]))(?=[!-~]{0,40}[a-z])[^\s/:"'`=(),]{5,64}(?=["'`*]{0,2} to (?:unlock|unprotect|decrypt|open|log|sign|get in|unzip|extract|access))|(?<=[用拿]\s?)(?=[!-~]{0,40}(?:\d|[A-Za-z][&^$#@!~*]))(?=[!-~]{0,40}[a-z])[^\s/:"'`=(),\u2e80-\uffff]{5,64}(?=\s?[去来]?(?:解|打开|[登進进][录入陆錄]|开机))/gi,
      /(?=\d{4})(?<=\b(?:key in|punch in|dial|enter|press|type(?: in)?|opens? with|unlocks? with) )\d{4,8}(?=[^\n.\d]{0,50}\b(?:alarm|panel|keypad|lock|gate|door|safe|locker)\b)|(?=\d{4})(?<=\b(?:lock|alarm|panel|keypad|gate|safe|locker)\b[^\n.\d]{0,40}\b(?:opens? with|unlocks? with|code is|dial|punch in|key in|press) )\d{4,8}(?!\d)/gi,
    ],
  },
  {
    sign: /[输輸填敲]|我的是/,
    shapes: [
      /(?<=(?:sudo|[密蜜][码碼]|口令|[解开開][锁鎖压壓]|登[录錄入]|保[护護]|[认認][证證]|[锁鎖]|[报報]警|[防][盗盜]?|[进進]去?)[^\n]{0,40}?(?:直接)?(?:[输輸填敲](?:入|上|的是)?|我的是):?\s?)(?!https?:|[\w-]+\.(?:com|cn|net|org)|true|false)(?=[!-~]{0,40}[a-z\d])[^\s/:,;"'`(<>\u2e80-\uffff]{4,40}(?=\s?(?:就|即可|再|回[车車]|[,，。;]|$))/giu,
    ],
  },
  {
    sign: /\d\.\d{1,3}(?::\d{1,5})?[ \t|,/]{1,6}(?:root|admin|ubuntu|sa|oracle|postgres)/i,
    shapes: [
      /(?<=\d\.\d{1,3}(?::\d{1,5})?[ \t|,/]{1,6}(?:root|admin(?:istrator)?|ubuntu|sa|oracle|postgres)[ \t|,/]{1,6})(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[!-~]{5,60}/gi,
    ],
  },
  {
    sign: /\b(?:asks?|prompts?|wants)\b|wi-?fi\s?:|unlocks|safe|locker|lockbox|vault|padlock/i,
    shapes: [
      /(?<=\b(?:[Tt]ype|[Ee]nter|[Uu]se|give it|input) ["'`]?)[A-Za-z][\w-]{1,30}[.&_-][\w.&-]{2,40}(?=["'`]? (?:when|if|where) [^\n]{0,40}\b(?:asks?|prompts?|wants))/g,
      /(?<=\bwi-?fi\s?:\s?[^\n/]{1,40} ?\/ ?)[!-~]{6,64}/gi,
      /\b\d{4,8}(?= unlocks\b)|(?<=\b(?:safe|locker|lockbox|vault|padlock)\b[^\n.]{0,30}\b(?:opens?|unlocks?|combination)\b[^\n.]{0,20} )\d{1,2}-\d{1,2}-\d{1,2}\b/gi,
    ],
  },
  {
    sign: /\d[ -]?\d/,
    shapes: [
      // What a lock is opened with: 62 15 80, 17-29-3, *55310#.
      /(?=[*#\d])(?<=\b(?:garage|gate|lock|locker|padlock|lockbox|suitcase|safe|keypad|elevator|combo|combination|security code|otp)\b[^\n.\d]{0,36}\b(?:with|to|takes|is|type|enter|press|code|combo|combination|otp),?:? )[*#]?\d{1,5}(?:[ -]\d{1,4}){0,3}#?(?=\s?(?:[,.;)(!]|$|\n|then\b|and\b|in case|before))(?<=\d\D{0,2}\d\D{0,2}\d#?)/gim,
      /(?<=(?:[门門]|[锁鎖]|[键鍵][盘盤]|[梯]|[柜櫃箱]|安全[码碼]|配[对對][码碼]|[备備]用[^\n]{0,4}[码碼])[^\n\d]{0,16}?(?:按|[输輸]入?|[拨撥]到|[设設]的?是?|是|用)\s?)[*#]?\d{1,5}(?:[ -]\d{1,4}){0,3}#?(?<=\d\D{0,2}\d\D{0,2}\d#?)(?!\s?[\d年月日号點点分元个個次位%克斤公里米块塊万萬人张張份倍页頁])/gu,
    ],
  },
  {
    sign: /(?:pass(?:word|phrase)|secret phrase|口令|密[码碼]|暗[号號])[^\n]{0,60}\d/i,
    shapes: [
      /(?<=(?:\bpass(?:word|phrase)|\bsecret phrase|口令(?:短[语語])?|密[码碼]|暗[号號])[^\n]{0,40}?(?:\bis\b|[是:为])\s?["“']?)(?=[^\n.,]{0,60}\d)(?!(?:[a-z]+ ){0,4}(?:least|most|than|between|exactly)\b)[A-Za-z][a-z']{1,12}(?: [A-Za-z0-9']{1,12}){1,8}!?(?=\s*(?:[.,;)"”]|$|\n|with\b|including\b|中|感))(?<=\d[^\d]{0,40})/gim,
    ],
  },
  {
    sign: /on the back|cvv|cvc|\bcid\b|\bcsc\b|背面|security code|安全[码碼]|[后後末][三3]位|combination|密[码碼][锁鎖]|lockbox|padlock|keypad|elevator|\block\b|(?:gate|door|guard|safe|box) code|[门門][禁锁鎖]|电梯|密[码碼][锁鎖]|令牌/i,
    shapes: [
      /(?=\d)(?<=(?:digits? on the back|(?<![a-z])cv[vc]2?(?![a-z])|\bcid|\bcsc|security code|安全[码碼]|(?:背面[那的]?|[后後末])[三3]位)[^\n\d]{0,16}|(?:\b(?:suitcase|luggage|briefcase|locker|(?:pad)?lock|safe|bike)\b[^\n.\d]{0,30}\bcombination(?: lock)?(?: is|:)?|密[码碼][锁鎖](?:[设設]?的?是|[为為:])?)\s{0,2})(?:\d{3,4}|\d{1,2}(?:-\d{1,2}){2})(?![\d-]|\s?[个位年款种把])/gi,
      // With letters and marks: C4082#, 6B19, 7*21.
      /(?<![\w./$#-])(?=[A-Z*]{0,3}\d)(?=\d{0,5}[A-Z*#])(?![A-Z]{1,4}\d{1,5}(?![A-Z\d*#]))[A-Z\d*]{4,7}#?(?![\w%:/-])(?<=(?:[Ll]ockbox|[Pp]adlock|[Kk]eypad|[Ee]levator|\block\b|(?:[Gg]ate|[Dd]oor|[Gg]uard|[Ss]afe|[Bb]ox) code|[门門][禁锁鎖]|电梯|密[码碼][锁鎖]|令牌)[^\n]{4,70})/g,
    ],
  },
  {
    sign: /pass/i,
    shapes: [
      /\b(?=[!-~]{0,40}\d)[!-~]{5,80}(?= (?:as|for) (?:its|the|my|your|our|his|her|their|a) (?:new )?pass)/gi,
      /(?<=pass(?:word|wd|code)?\b[^\n.]{0,30}\bfrom )(?=[!-~]{0,40}\d)[!-~]{5,80}(?= to )|(?<=pass(?:word|wd|code)?\b[^\n.]{0,30}\bfrom [!-~]{5,80} to )(?=[!-~]{0,40}\d)[!-~]{5,80}/gi,
      /(?<=\bpass(?:word|wd|code|phrase)?\b[^\n]{0,120}?\b(?:it['’]?s|it is|it was|use|try) )(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z]{3})[^\s/:]{7,80}/gi,
    ],
  },
  {
    sign: / (?:is|was|as) (?:the|my|our|your|her|his|their|its|a) [^\n]{0,70}(?:pass|pin|code|token|secret|key)/i,
    shapes: [
      /(?<![!-~])(?=[!-~]{0,40}\d)[!-~]{4,80}(?= (?:is|was|as) (?:the|my|our|your|her|his|their|its|a)(?: (?!public)[\w'’-]{1,20}){0,3} (?:pass(?:word|phrase|code)?|pin|code|token|secret|key)\b)/gi,
    ],
  },
  {
    // A year may be one too.
    sign: /\b(?:pin|code (?:for|to|of))\b[^\n]{0,60}\d|密[码碼][^\n\d]{0,14}[是为為:]/i,
    shapes: [
      /(?<=\bcode (?:for|to|of) (?:the|my|our|his|her|their) [^\n\d.,]{0,30}(?:safe|lock\w{0,4}|door|gate|box|house|flat|building|alarm|garage|cabinet|shed|bike|case|car|room|lift|gym|pool|entrance)\b[^\n\d.,]{0,24}\b(?:is|was)(?: still| now)? )\d{4,8}(?!\d)/gi,
      /(?<=\bpin\b(?! codes? (?:of|in))(?:[^\n\d.]{0,30}(?:\bis|['’]s|[:=是为為码碼]))?\s?)\d{4,8}(?!\d|[.-]\d|\s?[年%])|(?<=密[码碼][^\n\d。]{0,12}[是为為:]\s?)(?:19|20)\d\d(?![\w年.-])/gi,
    ],
  },
  {
    sign: /\b(?:with|as|using) \S{1,60} (?:and|\/|with) |(?:[拿用]|[账帐賬帳][号號户戶]|account|user)\s?[!-~]{1,40}\s?[和\/跟]/i,
    shapes: [
      /(?<=\b(?:log(?:ged)? ?in|sign(?:ed)? ?in|login|log on)\b[^\n.]{0,60}\b(?:with|as|using) \S{1,60} (?:and|\/|with) )(?=[!-~]{0,40}\d)[!-~]{5,80}/gi,
      /(?<=(?:[拿用]|[账帐賬帳][号號户戶]|account|user)\s?[!-~]{1,40}\s?[和\/跟]\s?)(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[!-~]{5,80}(?=\s?(?:\p{Script=Han}|[，,。.]|$))/giu,
      /(?<=(?:[拿用]|[账帐賬帳][号號户戶]|account|user)\s?[a-z][\w.@-]{0,40}\/)(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[^\s\/]{5,80}(?=\s?(?:\p{Script=Han}|[，,。.]|$))/giu,
    ],
  },
  {
    sign: /密[码碼钥鑰]|口令|暗[号號]|令牌|加密|(?:pass|pw)[^\n]{0,36}\p{Script=Han}/iu,
    shapes: [
      /(?<=(?:密[码碼]|口令|暗[号號]|加密|pass(?:word|phrase)?|\bpw\b)[^\n]{0,30}[:,，是=]\s?)(?!\p{Script=Han}{0,12}[我你他她们请已改年月日要])(?:[a-z]{2,12}\p{Script=Han}{1,8}\d{0,6}|\p{Script=Han}{4,12}\d{2,6})(?=[,，。\s]|$)/giu,
      /(?<=密[码碼][^\n，。]{0,10}[从從由]\s?)(?=[!-~]{0,40}\d)[!-~]{5,80}(?=\s?(?:改|换|換))|(?<=密[码碼][^\n，。]{0,10}[从從由]\s?[!-~]{5,80}\s?(?:改|换|換)[成为爲]?了?\s?)(?=[!-~]{0,40}\d)[!-~]{5,80}/gu,
      /(?<![!-~])(?=[!-~]{0,40}\d)[!-~]{4,80}(?=\s?(?:就?是|作[为為]|[当當]|做|[为為])[^\n，。!-~]{0,12}(?:密[码碼]|口令|密[钥鑰]|令牌))/gu,
      /(?<=(?:密[码碼]|口令|暗[号號])[^\n。]{0,60}?(?:[诉訴]我|[说說]|[应應][该該]|好像|原[来來])是\s?)(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[^\s/:\u2e80-\uffff]{5,80}/giu,
    ],
  },
  {
    sign: /[0-9a-f]{32}|={1,2}(?!\w)/i,
    shapes: [
      /(?<![\w/:-])[0-9a-f]{32,64}(?![\w-])(?<=(?:key|token|secret|[钥鑰]|令牌)[^\n]{33,145})/gi,
      /(?<=\s)[A-Za-z0-9+/]{12,200}={1,2}(?![\w=])(?<=pass(?:word|wd)?\b[^\n]{13,240})/gi,
      /(?<=(?:_SID|\bAC[0-9a-f]{32})["']?, ?["'])[0-9a-f]{32}/g,
    ],
  },
  {
    sign: new RegExp(`${ENGLISH_DIGIT}[ ,-]{1,2}${ENGLISH_DIGIT}|${HAN_DIGITS}{4}`, "i"),
    shapes: [
      new RegExp(
        `(?<=\\b(?:code|pin|combination|combo|pass\\w{0,6})\\b[^\\n.]{0,60}?\\W)${ENGLISH_DIGIT}(?:[ ,-]{1,2}${ENGLISH_DIGIT}){3,11}\\b`,
        "gi",
      ),
      new RegExp(
        `(?<=\\bpass(?:word|code|phrase)?(?: is|'s|:)[^\\n.]{0,40}?\\W)[a-z]{3,12}(?: ${ENGLISH_DIGIT}){2,6}\\b`,
        "gi",
      ),
      new RegExp(
        `(?<=(?:码|碼|口令|暗[号號]|pin)[^\\n。!-~]{0,12}[,:]?[^\\n。!-~]{0,6})(?:[a-z]{2,20})?${HAN_DIGITS}{4,12}(?!\\p{Script=Han})`,
        "giu",
      ),
    ],
  },
];
