/**
 * Whether an input asks nothing: thanks, greetings, farewells, agreement,
 * laughter, fillers, in English and Chinese. Pure.
 *
 * It asks nothing when nothing is left of it without such words; a single word
 * of another kind ("ok, the dentist") makes it a question. So what is missed
 * here costs a search, and what asks is never taken for nothing.
 */
import { foldText } from "./fold.js";
import { SMALL_TALK, STOP_WORDS } from "./stop-words.js";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Said out of courtesy, in agreement, in passing. */
const COURTEOUS = words(`
thank thanks thankyou thx tnx tks ty tysm tyvm cheers ta merci gracias danke arigato appreciate appreciated grateful obliged indebted bless blessings
ok okay okey okie okeydokey okeydoke oki k kk alright alrighty yes yep yeah yup yea ya yay aye sure certainly absolutely definitely totally surely
no nope nah naw great good nice cool perfect awesome amazing wonderful excellent brilliant lovely fantastic superb fine fab neat sweet stellar terrific
marvelous marvellous incredible impressive phenomenal magnificent outstanding splendid gorgeous stunning epic dope lit sick rad wicked ace solid
flawless bingo bravo kudos congrats congratulations legend legendary genius lifesaver  champ champion hero angel gem treasure    
spot-on  nailed smashing ideal delightful beautiful beautifully adorable cute sorry apologies apologise apologize pardon oops oopsie whoops
bad typo typos autocorrect ignore disregard scratch nevermind nvm nm mistake misclick mistyped hi hello hey heya hiya yo howdy greetings hullo
morning mornin evening afternoon night nite nighty gn gm g'night g'day goodnight goodmorning bye goodbye byebye cya ciao adios later laters cheerio
ttyl ttfn toodles farewell sayonara brb afk bbl bbs gtg g2g xoxo hugs lol lmao lmfao rofl hm um uh er ah aha oh ooh wow whoa woah wowza omg omfg omw
ugh meh phew phwoar whew yay hooray hurray woohoo ouch eek yikes argh aw aww awww gosh dang damn darn jeez geez blimey crikey sheesh welp np yw
welcome please pls plz gotcha noted understood roger  wilco  exactly precisely indeed agreed agree deal  true correct done sounds ikr
ofc obviously naturally  interesting fascinating   sec secs   hang bear gimme lemme xd hehe ha haha heh lmk tgif peace
fingers crossed luck kidding jk joking mwah muah voila ta-da tada amen  anytime yawn zzz brilliantly splendidly superbly
3q 3x tq tnk merci beaucoup danke schoen gracias grazie obrigado spasibo xiexie arigatou arigato 88 886 520 orz qaq rofl 666 233 okie dokie oki wait hold
spiffing champion's dandy peachy swell jolly righto righty roger-dodger yup-yup yessir yes-sir aye-aye okey-doke mhm mhmm uh-huh uhhuh nuh-uh welp whelp
alas bah boo brr bleh blah duh eh ew eww gah gee golly grr ha-ha hah harrumph hooah hoorah huzzah lordy my-my oof ooh ouchie oy pfft phooey pish psst
shh shoot shucks tsk tut ugh-oh uh-oh whee whoop whoops-a-daisy whoopee woot wowee yahoo yippee yoohoo yuck yum zing zounds holy heck hell fiddlesticks
snap boom bam sweetness magic magical wizard wizardry sorcery priceless riveting uncanny speechless floored impressed stoked thrilled chuffed delighted
relieved relief grateful touched honoured honored humbled owe goodbye's toodle-oo tata ta-ta cheerio catch laterz peaceout adieu bonsoir bonjour guten
hola namaste aloha salut konnichiwa annyeong muchas por favor prego bitte`);

/** May stand beside them, and says nothing by itself. */
const BESIDE = words(`
a an the that this it its i im ive ill id you youre youve u ur we me my your yours our so much lot lots bunch ton tons million loads very really truly
too just only all for of to at in on by with and but or as if now today tonight tomorrow tmrw later soon again then well have had has having get got go
going gonna day weekend week evening rest sleep tight dreams dream back bit minute minutes min mins couple let lets think thinking see talk speak chat
catch up ahead bed early send sent hit pressed button enter key wrong window works work working job helped helpful helping needed need what wanted
want is was be been are am look looks seem seems like liked love loved lifesaver best seriously honestly take care fault about never mind worries worry
problem problems enough stop funny hilarious joke laughing dead dying crying tears wish wishing happy holidays enjoy everything anything thing things
busy there here give glad hope make makes made sense point way keep can do did does will would could how nicely quick quickly right away soon both guys
everyone mate buddy pal dude man bro sis friend dear boss sir team first time being from out off over nothing thats whats sounds more most ever such kind
kindly that'll it'll super signing logging heading calling call it's take easy long goes crazy insane wild unreal mad smart clever thoughtful sweet
monday tuesday wednesday thursday friday saturday sunday year merry christmas birthday weekend's day's night's lunch dinner breakfast coffee tea nap
shower tired sleepy exhausted knackered done-ish five ten two three minute's phone ringing door someone doorbell driving running meeting
read reading check checking digest sink process wrap finish finished settled sorted set said put written call pretty quite rather almost totally
absolute proper total huge big little old not don't dont won't wont can't cant doesn't isn't couldn't ask asked hoped expected imagined hours hour
saved save life life's ya'll y'all yall folks honey darling love luv lovely hun
second right rock rocks rule rules spot fair pleasure copy star moment clearly further questions question
eyes legs break stretch stretching bathroom loo restroom kettle boiling oven dog's kid's kids door's doorbell's courier delivery package phone's call's
calling mum's boss's hands full brain brains fried mush words mouth tongue lost train thought thoughts gather gathering mull mulling ponder pondering
chew chewing process processing moment's patience patient bearing slow slowness delay delayed keeping waiting held confusion confused confusing
misread misspoke misunderstanding mix mixed mixup mix-up fat fingers fingered thumb thumbs cat keyboard walked stepped paste pasted copied accident
accidentally meant intended different another chat convo thread person fan huge massive enormous giant major minor tiny wee heap heaps oodles
infinite infinitely endless always forever eternally deeply sincerely greatly much-appreciated bottom heart soul mind mindblown blown socks ears
music chef's kiss ten outta star-struck stars thumbs-up high five hi-five gold medal prize award winner winning win wins dinner's stroke luck
dreaming tight bedbugs bite snooze slumber pillow blanket sheep counting lights couch sofa tv netflix rest-up recharge recharging unwind until till
next round another-day see-ya soonish afar around signing-off hitting hit-the-hay hay sack turning retire crash crashing zonked pooped wiped beat
bushed drained done-for toast spent outta-here off-to run running gotta dash dashing bounce bouncing jet jetting scoot scooting split splitting
errands train bus taxi uber flight boarding gate landing pickup drop dropping commute commuting parking`);

/** Asked out of politeness; the answer stands in no memory. */
const POLITE_QUESTION =
  /(?:\bhow(?:'s| is| are| r) (?:you|u|it going|things|life|your day)(?: (?:doing|today|going))?|\bwhat'?s up|\bsup|\byou (?:there|around|ok|okay)|\b(?:ok|okay|right|deal|really|seriously|sure)|(?:你|您)?(?:好吗|在吗|在不在)|还好吗|吃了吗|真的(?:吗|假的)|是吗|对吧|好吗|行吗|可以吗)\s*[?？]+/giu;

/** The same of Chinese, simplified; the longest that fits is taken. */
const HAN_COURTEOUS = words(`
 谢谢 感谢 多谢 谢啦 谢了 拜谢 跪谢 辛苦 费心 受累 有劳 劳驾 麻烦 承蒙 打扰 叨扰 失礼 见谅 包涵 客气 不客气 不用谢 别客气 没事 没事儿 没关系 没问题 没毛病
没意见 没异议 不好意思 对不起 抱歉 打错 打错字 发错 漏字 看错 点错 按错 说错 搞错 手滑 口误 笔误 误触 误会 撤回 当我没说 我的锅 我的错 别管 算了 随便 随意
都行 都可以 无所谓 照旧 收到 明白 懂了  了解  知道了 知道 晓得 记住 记下 原来如此 原来 怪不得 难怪 这样 那样 这么 那么 就这样 就那样 好的 好滴 好哒 好嘞 好咧
好 行 可以 没错 是的 是 对 对的 当然 同意 赞同 赞成 赞 点赞 听你的 听您的 听你 按你 照你 依你 就这么办 就这么定 一言为定 成交 妥 妥妥 搞定 得嘞 得令 遵命 要得
  早安 早上好 早 上午好 中午好 午安 下午好 傍晚好 晚上好 晚安 晚好 你好 您好 大家好 哈喽 哈罗 哈啰 嗨 嘿 喂 拜拜 拜 掰 掰掰 再见 再会 回见 回头见 回聊 明天见
明天聊 明儿见 改天 改日 下次 下回 下周 待会 待会儿 一会儿 晚点 晚些 好梦 美梦 做梦 祝 祝福 愉快 快乐 顺利 平安 健康 如意 慢慢来 不急 不着急 别急 别担心 放心 棒 厉害 牛  
妙  绝了 给力 完美 不错 贴心 周到 好用 好笑 逗 有趣 搞笑 开心 高兴 满意 舒服 舒坦 专业 靠谱  精彩 优秀 漂亮 到位 周全 细致 及时 正好 正是 想要 需要 有道理 在理 有意思
有点意思 说得对 说得是 说得好 服了 佩服 膜拜 给跪 神了 好家伙 不愧 真有你的 爱了 比心 撒花 鼓掌 涨知识 学到 学到了 受教 长见识 开眼 恍然大悟 让我想想 容我 想想 想一想 看看 考虑
等等 等 等下 等一下 等会 等会儿 稍等 稍候 马上 哈 哈哈 呵呵 嘻嘻 嘿嘿 哇 啊 哎 哎呀 哎哟 唉 哦 噢 喔 嗯 呃 额 诶 咦 呜 天哪 天呐 天啊 我的天 妈呀 我去 卧槽 我靠 加油
恭喜 干杯 抱抱 爱你 么么哒 笑死 继续 歇 休息 早睡 先睡 睡 睡觉 睡了 困 累 饿 下班 上班 出门 到家 开车 开会 吃饭 洗澡 接电话 接个电话 上厕所 忙 撤 溜 闪 走 告辞 失陪
下线 新年好 新年快乐 春节 中秋 国庆 端午 节日 假期 周末 生日 一路顺风 顺风 保重 多保重 注意身体  多亏 幸好 幸亏 有你 yyds 六六六
蟹蟹 谢咯 谢谢哈 叩谢 鸣谢 致谢 三克油 栓q 阿里嘎多 谢天谢地 感恩 感激 感激不尽 破费 大恩 哼 哼哼 啧 啧啧 嘘 哦豁 好耶 嚯 嗬 哇塞 哇噻 我擦 天啦 妈耶 好险 吓死 吓我一跳 咳咳 嗐 害
噗 噗嗤 呜呜 嘤嘤 啊这 绝绝子 无语 救命 囧 晕 服气 啊哈 哟呵 呦 嘶 呸 嗷嗷 耶 唔 唔唔 呼 好惨 可怜 可爱 萌 暖 暖心 感动 泪目 笑 笑死我了 笑不活 笑不活了 笑喷 笑哭 笑疯 乐死 逗死
太逗 肚子疼 hhhh 红红火火 恍恍惚惚 琢磨 捋一捋 捋捋 组织 语言 怎么说 想不起来 卡壳 斟酌 掂量 回味 消化 缓缓 缓一缓 缓口气 喘口气 歇会 歇会儿 歇歇 喝口水 倒杯水 上个厕所 拿快递
拿个快递 敲门 按门铃 按 有人 电话响 来电话 电话 打断 稍微 稍后 稍晚 随后 过会 过会儿 这就 就来 来了 来啦 在呢 在的 在 回来了 久等 久违 好久不见 幸会 久仰 欢迎 请 请进 请坐 请便
老铁 伙计 哥们 兄台 大佬 大神 高手 学霸 老板 小可爱 小天使 小能手 搭档 拍档 宝藏 神仙 救星 功臣 天才 学到老 照办 照做 照这个 按这个 按你说 就按 就它 就它了 就这个 就这些 就用 用这个
这个好 选这个 定这个 定了 拍板 通过 批准 支持 举双手 双手 认可 采纳 依你 都听你的 你说了算 你定 你看着办 看着办 交给你 交给你了 靠你 靠你了 拜托 拜托了 走你 冲 冲鸭 开干 开工 开始 动手
干吧 来吧 去吧 发吧 写吧 做吧 走起 搞起 没得说 没话说 无可挑剔 挑不出 毛病 一针见血 言简意赅 清晰 明了 易懂 实用 有用 受用 帮到 帮到我 帮大忙 解决 解决了 正合我意 合我意 深得我心 心意
心有灵犀 刮目相看 大开眼界 名不虚传 果然厉害 手抖 手误 眼花 脑抽 脑子 糊涂 迷糊 粗心 大意 疏忽 怪我 我的错 我的 错 不该 见笑 献丑 惭愧 罪过 莫怪 别见怪 别介意 不介意 无妨 不碍事
不打紧 小事 小意思 应该的 哪里 哪里哪里 过奖 彼此 互相 同乐 同喜 大吉 吉祥 发财 团圆 安康 好眠 安眠 入睡 躺平 充电 关机 断网 没电 闪人 溜了 撤了 走了 走啦 出发 上车 下车 到站 到了
登机 起飞 收摊 打烊 打卡 摸鱼 干饭 干饭了 开饭 开饭了 用餐 遛弯 遛狗 散步 健身 跑步 带娃 哄娃 接娃 接孩子 做饭 洗碗 追剧 看球 打球 打游戏`);

/** The same: degrees, particles, the small change of a sentence. */
const HAN_BESIDE = words(`
我 你 您 他 她 咱 咱们 我们 你们 大家 自己 了 的 地 得 呢 吧 啊 呀 哦 啦 嘛 呗 咯 喔 哈 耶 哟 噻 撒 嗷 哩 滴 呐 哒 着 过 们   那 这 那就 就 也 都 真 真的 太 很 好 挺  超级
特别 非常 十分 相当 实在 确实 果然 简直 先 再 又 还 更 最 会 要 去 来 到 有 有点 一点 点 些 一些 话 说 说的 个 下 上 一 一下 这会儿 现在 刚 刚才 刚刚 今天 今晚 今儿 明天 明早
明儿 后天 昨天 早上 上午 中午 下午 晚上 夜里 这里 这儿 那里 那儿 这个 那个 这事 那事 事 事情 意思 时候   答案 回答 回复 建议 写 写得 做 做得 讲 讲得 整理 安排  干 干得
解释 帮忙 帮 帮我 帮了 大忙 省 省事 省心 省得  想 看 听   用  给 让 叫 跟 和 与 对 为 为了 把 被 从 在 不 没 别 没有 可 可是 但 但是 不过 所以 因为 然后 于是 而且
以后 之后 之前 一直 总是 已经 正 正在     多 少         每 几 两 三 点儿 起来 出来 下来 过来 回来  回去 出去 进来   完了 好了 行了  够了 算 算是 当 
像是 应该 可能 大概 也许 肯定 一定 必须 能 能够 会儿 一会  一天 一整天     分钟          回头 脑子      中间 清楚 明白 聊 谈 见 找 忙 忙着
到此 为止 结束 收工 打住 结束了 打个 盹 眯 一路 万事 恭喜发财 朋友 兄弟 姐妹 老师 亲 亲爱的 宝 宝贝 助理 小助手`);

const LONGEST_HAN = 6;

interface HanParts {
  isCourteous: boolean;
  /** Runs of characters that are neither. */
  rest: string[];
}

/** Chinese has no blanks: the longest word that is known is taken, then what follows it. */
function hanParts(text: string): HanParts {
  const rest: string[] = [];
  let isCourteous = false;
  for (const [run] of text.matchAll(HAN_RUN)) {
    let strange = "";
    const close = (): void => {
      if (strange !== "") rest.push(strange);
      strange = "";
    };
    for (let at = 0; at < run.length;) {
      const word = longestAt(run, at);
      if (word === "") strange += run[at++];
      else {
        close();
        isCourteous ||= HAN_COURTEOUS.has(word);
        at += word.length;
      }
    }
    close();
  }
  return { isCourteous, rest };
}

function longestAt(run: string, at: number): string {
  for (let length = LONGEST_HAN; length > 0; length--) {
    const word = run.slice(at, at + length);
    if (HAN_COURTEOUS.has(word) || HAN_BESIDE.has(word)) return word;
  }
  return "";
}

const LATIN = /(?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:['-](?:(?!\p{Script=Han})\p{L})+)*/gu;

/** Words of a name, where thanks or a greeting goes to somebody. */
const MOST_NAMES = 1;

export function asksNothing(text: string): boolean {
  return withoutCourtesy(text) === "";
}

/**
 * What an input says beside its courtesies, as it is: all of it where it has
 * none, or asks; empty where nothing is left. "Thanks, the vet says hi" is about a vet.
 */
export function withoutCourtesy(text: string): string {
  if (text.length > READ_CHARS) return text;
  const folded = foldText(text).replace(/[’]/g, "'").replace(POLITE_QUESTION, " ");
  if (/[?？]/.test(folded) || ASKS.test(folded)) return text;
  const { isCourteous: isHanCourteous, rest } = hanParts(folded);
  const said = folded.match(LATIN) ?? [];
  const kinds = said.map(kindOf);
  const isCourteous = isHanCourteous || kinds.includes("courteous");
  // One character alone is a sound, or the rest of a word that is known.
  const han = isCourteous && rest.join("").length <= 1 ? [] : rest;
  const strange = said.filter((word, at) => kinds[at] === "strange" && word.length > 1);
  const isGreeting =
    said.slice(0, 2).some((word) => OPENERS.has(word.toLowerCase())) || HAN_OPENER.test(folded);
  // "Ok, off to the gym now, talk later!" tells of a gym in passing.
  const isPassing =
    isCourteous && !isGreeting && han.length === 0 && strange.length <= said.length / PER_STRANGE;
  const isName = strange.length <= MOST_NAMES && strange.every(isNameIn(said, kinds));
  const isHanName = isHanCourteous && han.length === 1 && isNameBehind(folded, han[0] ?? "");
  if ((han.length === 0 || isHanName) && (strange.length === 0 || isPassing || (isCourteous && isName)))
    // "The other one" points at something, courteous or not.
    return isCourteous || !/[\p{L}\p{N}]/u.test(folded) || !POINTS.test(folded) ? "" : text;
  // What is no question is about its telling words, where there are so few that each counts.
  const isShort = said.length <= SHORT_WORDS && han.length === 0;
  const hanCharacters = (folded.match(HAN_RUN) ?? []).join("").length;
  // A courtesy in passing makes no courtesy of a story.
  const isStory = han.join("").length > hanCharacters * MOSTLY && hanCharacters > 0;
  return (isCourteous && !isStory) || isShort ? [...han, ...strange].join(" ") : text;
}

const SHORT_WORDS = 12;
const MOSTLY = 0.4;
/** Of so many words one may be of another kind. */
const PER_STRANGE = 4;
/** What is told after a greeting is why somebody writes. */
const OPENERS = words("hi hello hey heya hiya yo howdy greetings morning evening afternoon goodmorning");
const HAN_OPENER = /^\s*(?:早|你好|您好|嗨|哈喽|上午好|下午好|晚上好)/u;
/** More says more than courtesies. */
const READ_CHARS = 400;
const HAN_RUN = /\p{Script=Han}+/gu;
/** A request or a question, whatever its courtesies. */
const ASKS =
  /\b(?:what(?! (?:a|an|i|we|you)\b)|who|whose|when|where|which|why|remind|remember|tell|show|find|book|order|list|check (?:my|the|if)|look up)\b|\bhow (?:many|much|long|old|far|do|did|does|to|is|was)\b|什么|啥|谁|哪|几(?!乎)|多[少久长大]|怎么|为什么|吗|呢\s*$|来着|提醒|告诉|查一?下|找一?下|记得|顺便|老样子|(?:^|[.,!;–—]\s*)(?:(?:oh|and|but|so|wait)[ ,]+)*(?:is|are|was|were|did|do|does|has|have|can|could|will|would|should) (?:the|my|our|i|we|he|she|they|there|anyone|anybody)\b/iu;
const POINTS =
  /\b(?:one|ones|other|others|another|first|second|third|last|next|same|both|either|neither|else|more)\b|[这那它第另]/iu;

/** 晚安小满, 小满早: written together with a courtesy. */
function isNameBehind(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const beside = at === 0 ? text.charAt(name.length) : text.charAt(at - 1);
  return [...name].length <= 3 && /\p{Script=Han}/u.test(beside);
}

type Kind = "courteous" | "beside" | "strange";

/** Verbs of asking are small talk that asks. */
const TALK = new Set([...STOP_WORDS, ...SMALL_TALK].filter((word) => !ASKS.test(word)));

function kindOf(written: string): Kind {
  // "heyyy" is hey, "sooo" so.
  const word = written.toLowerCase();
  const forms = [
    word,
    word.replaceAll("'", ""),
    word.replace(/(.)\1{2,}/g, "$1"),
    word.replace(/(.)\1+$/g, "$1"),
  ];
  if (forms.some((form) => COURTEOUS.has(form)) || LAUGHTER.test(word)) return "courteous";
  if (forms.some((form) => BESIDE.has(form) || TALK.has(form))) return "beside";
  return isSlipped(word) ? "courteous" : "strange";
}
const LAUGHTER =
  /^(?:6{3,}|23{2,}|8{2,}6?|a*(?:ha+){2,}h*|(?:he){2,}h*|h{2,}|lo+l+|hm+|u+gh+|o+h+|a+h+|mhm+|mm+|z+|x+d+)$/;

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
