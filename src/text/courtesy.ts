/**
 * Whether an input asks nothing: thanks, greetings, farewells, agreement,
 * laughter, fillers, in English and Chinese. Pure.
 *
 * It asks nothing when nothing is left of it without such words; a single word
 * of another kind ("ok, the dentist") makes it a question. So what is missed
 * here costs a search, and what asks is never taken for nothing.
 */
import { foldText } from "./fold.js";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** One of these at least, unless there are no letters at all. */
const COURTEOUS = words(`
thank thanks thankyou thx tnx tks ty tysm cheers ta appreciate appreciated grateful
ok okay okey okie okeydokey k kk alright alrighty yes yep yeah yup yea ya aye sure certainly absolutely definitely no nope nah
great good nice cool perfect awesome amazing wonderful excellent brilliant lovely fantastic superb fine fab neat sweet stellar
congrats congratulations bravo kudos legend genius lifesaver star champ spot-on spot
sorry apologies apologise apologize oops oopsie whoops pardon bad typo ignore nevermind nvm nm
hi hello hey hiya heya yo howdy greetings morning evening afternoon night nite gn gm g'night goodnight nighty
bye goodbye cya ciao later laters cheerio ttyl farewell brb afk bbl
lol lmao rofl hm um uh er ah aha oh ooh wow whoa woah omg omfg ugh meh phew yay hooray woohoo ouch eek yikes argh aw aww gosh dang damn
np welcome please pls gotcha noted understood roger copy right exactly indeed agreed agree deal fair true correct done sounds
wait hold sec second moment hang xd ha heh hehe haha lmk tgif`);

/** May stand beside them, and says nothing by itself. */
const BESIDE = words(`
a an the that this it its i im ive ill id you youre youve u ur we me my your yours our so much lot lots very really truly too just only all for of
to at in on by with and but or as if now today tonight tomorrow tmrw later soon again then well have had has having get got go going gonna
day weekend one week evening rest sleep tight dreams dream back minute min mins let lets think thinking see talk speak chat catch up
ahead bed early send sent hit button work works working job help helped helpful helping needed need what wanted want was is be been are am
look looks seem seems like love loved lifesaver best seriously honestly take care fault mistake about never mind worries worry problem problems
enough stop funny hilarious joke laughing dead crying wish wishing happy holidays enjoy everything anything thing things bit busy there here give
glad hope make makes made sense point way keep can do did does will would could make my made great exactly more most ever such kind
kindly how nicely done quick quickly right away too soon both guys all everyone mate buddy pal dude man friend dear boss sir team
first time being from out off over nothing else that'll do it'll thats whats sounds good`);

/** Asked out of politeness; the answer stands in no memory. */
const POLITE_QUESTION =
  /(?:\bhow(?:'s| is| are| r) (?:you|u|it going|things|life|your day)(?: (?:doing|today|going))?|\bwhat'?s up|\bsup|\byou (?:there|around|ok|okay)|\b(?:ok|okay|right|deal|really|seriously|sure)|(?:你|您)?(?:好吗|在吗|在不在)|还好吗|吃了吗|真的(?:吗|假的)|是吗|对吧|好吗|行吗|可以吗)\s*[?？]+/giu;

/** Stand alone or beside each other; longer ones first. */
const HAN_COURTEOUS =
  /(?:非常|太|真是?|多|十分)?(?:感谢|谢谢|谢啦|谢了|多谢|麻烦|辛苦)(?:你|您|大家)?(?:了|啦|哈|呀|啊|呢)?|不用谢|不客气|客气了?|没(?:事|关系|问题|毛病)(?:儿|的|了|啦)?|不好意思|对不起|抱歉|打(?:错|漏)(?:字|了)?|发错(?:了|人)?|手滑|(?:我的)?(?:错|锅)|收到|明白|懂了|了解|清楚|知道|记住|原来(?:如此|这样|是这样)|(?:那|就|先){0,3}(?:这样|那样)(?:啊|子|吧|的)?|好(?:的|滴|哒|呀|啊|吧|嘞|咧|喔|哦|耶|呢|啦)+|好+|行(?:吧|啊|的)?|可以|没错|是的?|对(?:的|对|啊|呀)?|当然|同意|赞(?:同|成)?|(?:就)?(?:听|按|照|依)(?:你|您)(?:说)?的?(?:来|办|做)?|就(?:这么|这样|那么)?(?:办|定|干|来|做)|(?:今天|今晚)?(?:就|先)?(?:到|聊)?(?:这儿|这里|这)|(?:早|上午|中午|下午|晚上?|午|夜)(?:安|好|上好)|早(?:点|些)?(?:休息|睡)?|晚(?:点|些)?(?:见|聊|说)|(?:你|您)好|哈[喽啰罗]|嗨+|嘿+|喂+|(?:拜|掰)+|再见|再会|回(?:头|见|聊)(?:见|聊|说)?|明天|改天|下(?:次|周|回)|(?:见|聊)(?:啦|吧)?|(?:祝|做个?)?(?:好|美)梦|祝(?:你|您)?|(?:周末|假期|节日|一切)?(?:愉快|快乐|顺利)|慢慢来|不(?:急|着急)|别(?:急|担心)|(?:太|真|好|超级?|很|挺|特别)?(?:棒|厉害|牛|强|赞|美|妙|绝|给力|完美|不错|贴心|周到|好用|好笑|逗|有趣|搞笑|开心|高兴)(?:了|啦|极了|啊|呀)?|(?:写|做|说|讲|整理|安排|弄|干)得(?:真|很|太|挺|非常)?(?:好|棒|漂亮|清楚|到位)?|正是?(?:我)?(?:想要|需要)的?|(?:让|容)我(?:再|先)?(?:想想|想一想|看看|考虑)|想想|等(?:一)?(?:下|会儿?|等)|稍(?:等|候)|(?:我)?(?:去|先去|要|得)?(?:接个?电话|忙|吃饭|睡觉?|洗澡|开会|下线|撤|走|闪)(?:去)?(?:了|啦|会儿)?|哈+|呵+|嘻+|嘿+|哇+|啊+|哎(?:呀|哟)?|唉+|哦+|噢+|喔+|嗯+|呃+|额+|诶+|咦+|呜+|天(?:哪|呐|啊)|我的天|加油|恭喜|干杯|抱抱|爱你|么么哒?|笑死(?:我)?|666+|233+|3q|(?:继续|你)?(?:忙|休息)/gu;

/** What is left beside them says nothing by itself. */
const HAN_BESIDE =
  /[了的呢吧啊呀哦啦嘛呗咯喔哈耶哟我你您那就也都真太很先再又还这挺会要去来到有点儿话说个下一啥都刚才呐哩滴]/gu;

const LATIN = /[\p{L}\p{N}]+(?:['’-][\p{L}]+)*/gu;

/** Words of a name, where thanks or a greeting goes to somebody. */
const MOST_STRANGE = 1;

export function asksNothing(text: string): boolean {
  const folded = foldText(text).replace(/[’]/g, "'").replace(POLITE_QUESTION, " ");
  if (/[?？]/.test(folded)) return false;
  const withoutHan = folded.replace(HAN_COURTEOUS, " ");
  const isHanCourteous = withoutHan !== folded;
  const rest = withoutHan.replace(HAN_BESIDE, " ");
  if (/\p{Script=Han}/u.test(rest)) return false;
  const said = rest.match(LATIN) ?? [];
  const kinds = said.map(kindOf);
  const isCourteous = isHanCourteous || kinds.includes("courteous");
  if (said.length > 0 && !isCourteous) return false;
  const strange = said.filter((_word, at) => kinds[at] === "strange");
  return strange.length === 0 || (strange.length <= MOST_STRANGE && strange.every(isNameIn(said, kinds)));
}

/** What drags letters out for longer is looked through for no word. */
const LONGEST_WORD = 64;

type Kind = "courteous" | "beside" | "strange";

function kindOf(written: string): Kind {
  const word = written.toLowerCase();
  if (word.length > LONGEST_WORD) return LAUGHTER.test(word) ? "courteous" : "strange";
  // "heyyy" is hey, "sooo" so.
  const forms = [
    word,
    word.replaceAll("'", ""),
    word.replace(/(.)\1{2,}/g, "$1"),
    word.replace(/(.)\1+$/g, "$1"),
  ];
  if (forms.some((form) => COURTEOUS.has(form)) || LAUGHTER.test(word)) return "courteous";
  if (forms.some((form) => BESIDE.has(form))) return "beside";
  return isSlipped(word) ? "courteous" : "strange";
}
const LAUGHTER = /^(?:a*(?:ha+){2,}h*|(?:he){2,}h*|h{2,}|lo+l+|hm+|u+gh+|o+h+|a+h+|mhm+|mm+|z+|x+d+)$/;

/** "Thanks Mo", "good night, Anna": one capitalised word behind a courteous one. */
function isNameIn(said: readonly string[], kinds: readonly Kind[]): (word: string) => boolean {
  return (word) => {
    const at = said.indexOf(word);
    return /^\p{Lu}/u.test(word) && at > 0 && kinds[at - 1] === "courteous" && said.length <= 12;
  };
}

const OFTEN_SLIPPED = [
  "thanks",
  "thank",
  "great",
  "awesome",
  "perfect",
  "sorry",
  "night",
  "morning",
  "goodnight",
  "much",
  "again",
];

/** Two letters swapped, nothing else. */
function isSlipped(word: string): boolean {
  return OFTEN_SLIPPED.some(
    (right) =>
      word.length === right.length &&
      word !== right &&
      [...word].sort().join("") === [...right].sort().join("") &&
      word.startsWith(right.slice(0, 1)),
  );
}
