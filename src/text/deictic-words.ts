/**
 * The words that point outside a sentence: at who speaks, at when, at where.
 *
 * Data only; pointers.ts says how they are looked for. English words are matched
 * whole, without case unless a list says otherwise. Chinese ones are patterns
 * over simplified text in which `HARMLESS_HAN` has been blanked out.
 */

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Personal and possessive pronouns. `it` is none: it mostly points inside its sentence. */
export const ENGLISH_PRONOUNS = words(`
  i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
  herself they them their theirs themselves
`);

/** Subjects that are also names: "He Wei" is one, "He runs" is not. */
export const ENGLISH_SUBJECTS: readonly string[] = ["he", "she", "you", "we", "they"];

/** Before a Roman one: "type I", "phase I". A capitalised word inside a sentence does as well: "World War I". */
export const COUNTED_BY_ROMANS = words(`
  war type vitamin part phase class stage level chapter section article grade schedule tier category
  division volume act book unit form title appendix group round track line calculus algebra bipolar
`);

/** "mine" is a pronoun behind these, and a hole in the ground elsewhere. */
export const BEFORE_MINE = words(`
  is was are were be of than like to not with from for and or becomes became on
`);

export const ENGLISH_TIMES = words(`
  today today's yesterday yesterday's tomorrow tomorrow's tonight tonight's now nowadays recently lately
  currently presently soon ago
`);

export const ENGLISH_TIME_PHRASES: readonly string[] = [
  ...["the other day", "the other night", "the other week", "at the moment", "at present", "these days"],
  ...["so far", "not long ago", "in a few days", "in a few weeks", "in a few months", "in a while"],
  ...["in the near future", "as of late", "of late", "any day"],
];

/** Where one of these stands around "soon" or "now", no moment is pointed at. */
export const HARMLESS_ENGLISH: readonly RegExp[] = [
  /\bas soon as\b/gi,
  /\b(?:too|how|so|no|very) soon(?:er)?\b/gi,
  /\bsooner or later\b/gi,
  /\bnow and (?:then|again)\b/gi,
  /\bevery now and\b/gi,
  /\bjust now and\b/gi,
  /\bhere and there\b/gi,
  /\b(?:neither )?here nor there\b/gi,
  /\bup to you\b(?= music)/gi,
  /\bthank[- ]you\b/gi,
  /\byou know who\b/gi,
  /\bdo[- ]it[- ]yourself\b/gi,
  /\bpay[- ]what[- ]you[- ]\w+/gi,
  /\ball[- ]you[- ]can[- ]\w+/gi,
  /\b(?:pay|save|work)[- ]as[- ]you[- ]\w+/gi,
  /\bbring[- ]your[- ]own\b/gi,
  /\b(?:he|she|they|ze|xe)\/(?:him|her|them|they|zir|xem)(?:\/\w+)?\b/gi,
];

export const TIME_UNITS = words(`
  second minute hour day night morning afternoon evening noon week weekend fortnight month quarter semester
  term season year decade century time monday tuesday wednesday thursday friday saturday sunday january
  february march april june july august september october november december spring summer autumn fall winter
  christmas easter
`);

/** Behind "that": a thing outside the sentence, where "that" otherwise only joins two halves. */
export const POINTED_AT = words(`
  guy man woman person girl boy kid company firm project place thing one day night week month year time team
  book house flat idea issue bug meeting plan job city town restaurant shop store car phone app game movie
  film show song trip deal contract client doctor school course class file document report email message
  conversation question problem proposal recipe dish room building street area country dog cat price offer
  decision feature repo branch server tool library model event party weekend morning evening summer winter
  vendor agency bank
`);

/** Behind one of these "that" points. */
export const BEFORE_POINTING_THAT = words(`
  with about of for from to on at by into like after before since until during near against without behind
`);

/** "those who", "those with": anybody. */
export const AFTER_OPEN_THOSE = words(`
  who whose that which of with without in from under over aged at whom on for affected interested involved
`);

/** Behind "there" where it only says that something is. */
export const AFTER_EMPTY_THERE = words(`
  is are was were be been isn't aren't wasn't weren't will won't has have had may might must should
  shouldn't can can't cannot could would exists exist seems seem seemed remains remain remained used comes
  came appears appeared needs stands stood lived ought
`);

/** That the sentence looks back, so that "in three days" is how long it took. Regular ones end in -ed. */
export const LOOKING_BACK = words(`
  was were had did went made wrote ran took built got read lost won learnt came grew sold bought paid spent
  rose fell drove flew swam rode broke began found gave kept knew left met put sent shot slept cut taught
  thought told ate drank became beat done gone written fewer within
`);

/** Words and names in which a pointing character only stands. */
export const HARMLESS_HAN = words(`
  其他 其它 吉他 他人 他乡 他国 他方 他日 他杀 他律 他汀 他莫昔芬 利他 排他 维他 马耳他 犹他 无他 尤他
  阿尔他 波哥他 斯巴他 他克莫司 佩他 自我 忘我 无我 大我 小我 本我 超我 真我 唯我独尊 我行我素 我见犹怜
  舍我其谁 我爱我家 你好 您好 迷你 你我他 你追我赶 你来我往 你死我活 卿卿我我 尔虞我诈 我的世界 俺答
  咱们裸熊 后天性 先天后天 今日头条 明日方舟 明日之后 昨日重现 明日香 今日关注 现在完成 现在进行 现在时
  一般现在 近日点 近日节 天后宫 刹那 近期目标 本地部署 本地化 本地文件 本地缓存 本地存储 本地数据 本地模型
  本地大模型 本地运行 本地环境 本地分支 本地仓库 本地安装 本地服务 本地代码 本地变量 本地时间 本地备份
  本地磁盘 本地硬盘 本地网络 本地机 本地端 本地开发 本地调试 本地测试 本地编译 本地离线 本地优先 本地账
  本地搜索 本地检索 本地索引 本地向量 本地知识库 本地推理 本地副本 本地日志 本地目录 本地路径 本地地址
  本地音乐 本地视频 本地图片 本地缓冲 本地加密 本地同步 本地跑 基本地 根本地 原本地 日本地 相当地 适当地
  恰当地 正当地 妥当地 得当地 担当地 彼此 因此 从此 如此 至此 由此 就此 据此 为此 故此 以此 特此 藉此 借此
  此起彼伏 应该 活该 本该 理该 该死 不该
`);

/** Each with what must stand around it, or must not. */
export const HAN_POINTERS = {
  pronoun: [
    /(?:我|你|您|他|她|它|妳|牠|祂|咱|俺)们?|偶们|大伙儿|(?<=^|[，。；、：！？,;:!?.\s])(?:人家|本人)/gu,
  ],
  time: [
    /(?<!如)今天|今日|今晚|今早|今晨|今夜|今儿|昨天|昨日|昨晚|昨夜|昨儿|(?<![说证表声发查光透标])明天|明日|明晚|明早|明儿|(?<![以之目年月周日从天])前天(?![线气空色])|(?<![以之日今然最])后天(?![性气空色线天])|大前天|大后天/gu,
    /刚才|刚刚|方才|(?<![出呈体浮实重涌闪再表发])现在|(?<![项节题科栏书篇账数])目前(?!期)|(?<![担充相适恰])当前(?![锋台卫])|如今|眼下|眼前这|近来|近日|近期|近几[天年周月]|最近(?=[^的]|$)|最近的[一几这]|今后|即日起|此刻|这会儿|这阵子?|前阵子|前些[天日]/gu,
    /(?<![以楼地山桥树脚台路街床桌墙])[上下这本](?:一|个|两)?(?:周|星期|礼拜)(?![围边遭密全到旋转])|(?<![日基剧脚样课书文成版原])本(?:月|季度|学期|年度)|[上下这]个?(?:月(?![台亮球光])|季度|学期|学年)|[上下这]个月|[上下这](?:一)?(?:次|回)(?!数)/gu,
    /今年|(?<![失逝除])去年|(?<![说证发注声表标写阐申查光透清])明年(?![满龄薪份纪])|(?<![天日月年周])前年|(?<![以之落])后年|今[春夏秋冬]|不久[前后]|过[几两些][天日周]|过一?阵|改天|待会儿?|等会儿?|等一会儿?|马上[就要]|前[几两][天日周个]|这[几两][天日周年个]/gu,
  ],
  place: [
    /这里|那里|这儿|那儿|这边|那边|此地|此处|这头|那头|(?<![日基原])本地|(?:(?<=^|[，。；、：！？,;:!?.\s])|(?<=[在到去从住来]))附近/gu,
  ],
  thing: [
    /[这那](?:[一二两三四五六七八九十几]{0,2})(?:个|些|家|件|位|种|本|份|条|场|台|辆|部|只|张|座|间|套|项|笔|所|栋|款|篇|首|群|届|批|名|棵|门|段|道|句|天|时候|样东西|事|人|东西)|(?<=^|[，。；、：！？,;:!?.\s])[这那](?=[是让使也对就])|此[人事书项次]/gu,
    /(?:(?<=^|[，。；、：！？,;:!?.\s])|(?<=[在由对与和将把为从被于给向]))该(?=\p{Script=Han}{1,2})|该(?=项目|公司|用户|群|产品|功能|方案|问题|会议|活动|系统|账号|店|药|剧|游戏|软件)/gu,
  ],
};
export const POINTER_KINDS = ["pronoun", "time", "place", "thing"] as const;

/** 三天前, 两周后: harmless in a sentence that names a date. */
export const HAN_COUNTED =
  /(?<![一二两三四五六七八九十百几半\d])[一二两三四五六七八九十百几半\d]+\s*个?(?:多)?(?:秒|分钟|刻钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)(?:多)?(?:以|之)?[前后](?![台端卫锋排门院期缀])/gu;

/** 当地 is of the place named before it. */
export const HAN_THERE = /(?<![相恰适正妥得担])当地/gu;
export const NAMES_A_PLACE = /[到在去赴于往抵]|来自|搬|出生/u;

/** 离…最近: near, not of late. */
export const HAN_NEAREST = /[离距][^，。；,;]{1,16}最近/gu;
