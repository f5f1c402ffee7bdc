/**
 * What holds the words of a time and tells none: titles that people write without a mark, sayings, and what
 * a time stands for ("the kids of today"). Data only, each the source of a pattern.
 */

const lines = (list: string): readonly string[] => list.trim().split(/\n\s*/);

/** English ones; matched between words, without case. */
export const ENGLISH_SAYINGS: readonly string[] = [
  // Titles.
  ...lines(`
    tomorrow never (?:dies|knows|comes)
    (?:the )?edge of tomorrow
    tomorrow,? (?:and )?tomorrow(?:,? and tomorrow)?
    tomorrow x together
    last week tonight
    (?:around )?the world in (?:80|eighty) days
    lose a guy in (?:10|ten) days
    last night in soho
    yesterday (?:once more|all my troubles|and today)
    beatles['’]? yesterday
    only yesterday
    (?:coming )?in the air tonight
    tonight,? tonight(?:,? tonight)?
    make it through this year
    watch(?:ing|ed)? the day after tomorrow
    the (?:today|tonight) (?:show|programme)
    (?:usa|psychology|india|russia|history|christianity|medical news|arizona) today
    tomorrow['’]s world
    tomorrow,? when the war began
    tonight alive
  `),
  // Sayings.
  ...lines(`
    (?:like|as if|as though|feels like)(?: it (?:was|were)| it's| only)? yesterday
    (?:like|as if|as though) (?:it|that|this|they|we|i) (?:were|was|all|happened|had)\\b[^.!?\\n]{0,20}\\byesterday
    into (?:the middle of )?next week
    (?:tomorrow|yesterday|today)[- ]me
    next year in jerusalem
    never put off [^.!?\\n]*
    tomorrow(?: is|'s) another day
    (?:is|are|was|were|['’]s|looks?|feels?) so (?:yesterday|last (?:year|season|week|month))
    no time like today
    (?:don['’]t|why) put (?:\\w+ )?off (?:till|until) tomorrow[^.!?\\n]*
    for tomorrow we die
    for a hamburger today
    today is the first day of the rest
    (?:feels?|felt|seems?|seemed) like (?:it was |it is )?(?:only |just )?yesterday
    here today,? (?:and )?gone tomorrow
    (?:wasn['’]t|weren['’]t|not) born yesterday
    no tomorrow
    live for today
    (?:survives?|exists?|still used|still in use) today
    not today,? satan
    that was yesterday, this is today
    egg today (?:than|(?:is|are) (?:better|worth more) than) an? hen tomorrow
    today(?:['’]s \\w+(?: \\w+)?)? is (?:the |an? \\w+ )?tomorrow(?:['’]s)?
    sun (?:will|['’]ll) come out tomorrow
    bet your bottom dollar [^.!?\\n]*
    (?:love ya|love you),? tomorrow
    free (?:beer|drinks|lunch|pizza) tomorrow
    tomorrow (?:speech|soliloquy)
    jam (?:tomorrow|yesterday|today)
    day one
    in a (?:week|month) of sundays
    (?:needs?|wants?) (?:[^.!?,\\n]{1,30} )?yesterday
    (?:needed|wanted) (?:it |this |that )?(?:by )?yesterday
    as if tomorrow
    tomorrow (?:is|isn['’]t|is not|was)? ?(?:never |not )?(?:promised|guaranteed|may never|might never)
    (?:what|whatever) (?:tomorrow|today) (?:brings?|holds?|may|might|will bring)
    (?:yesterday|tomorrow|today) (?:is|was) (?:history|a mystery|a gift|the past|gone|the future|promised|but a dream)
    today (?:is )?the tomorrow[^.!?\\n]*
    today an? \\w+,? tomorrow an? \\w+
    let tomorrow (?:take care|worry)
    (?:count|bank|rely) on tomorrow
    one today is worth two tomorrows?
    (?:yesterday|today)(?:,| and| or) (?:today|yesterday)(?:,|,? and|,? or) tomorrow
    (?:live|living) (?:in|for) (?:today|yesterday)
    worry(?:ing)? (?:too much )?about tomorrow
    problem for tomorrow
    (?:dwell on|undo|can['’]t change|day that follows) yesterday
  `),
  // An age.
  ...lines(`
    (?:of|a better|a brighter) tomorrow
    yesterday['’]s (?:news|papers?|glor(?:y|ies))
    today['’]s idea of
    tomorrow['’]s (?:news|chip paper)
    last (?:week|month|year) after (?:week|month|year)
    (?:today|tomorrow|yesterday)['’]s (?:kids|youth|young|world|society|technology|standards?|children|teens|teenagers|generation|m[ae]n|women|hero(?:es)?|champions?|stars?|leaders|problems?|winners?|losers?|doctors?|scientists?|phones|cars|music)
    (?:kids|people|children|teenagers|teens|society|students|parents) of today
    (?<!\\b(?:my|our|the|your|his|her|their|these|those|both|all|\\d+|two|three) )(?:kids|teenagers|teens|youngsters|young people) today (?:are|don|have|just|never|think|with|(?:wo|would|ca|could|do)n['’]?t|can|could|will|would)
    (?:technology|women|men|youth|world|language|music|children|people|kids) of (?:today|tomorrow|yesterday)
  `),
];

/** Chinese ones, in simplified and where they differ in traditional characters. */
export const HAN_SAYINGS: readonly string[] = [
  // Titles, names of papers, games and shops.
  ...lines(`
    明天会更好
    明天你好
    明天和意外
    昨日重现
    昨天今天明天
    明日边缘
    明日之后
    明日(?:之星|方舟|城)
    今[天日]你要嫁给我
    大吉大利，?今晚吃鸡
    明天(?:系|控股)
    今日(?:资本|美术馆)
    今晚80后
    今夜无人入睡
    今日(?:说法|头条|份|戏院|戲院|早报|晚报|美国)
    今天(?:传媒|国际)
    明天广场
    去年烟花特别多
    去年天气旧亭台
    去年花里
    今年花胜
    去年今日此门
    昨日之日
    昨天的你的现在的未来
  `),
  // Sayings.
  ...lines(`
    明日复明日
    明[天日]何其多
    (?:仿佛|恍如|犹如|宛如|如同)(?:就)?(?:在|是|发生在)?昨[天日]
    (?:好像|就像|像是)(?:就)?(?:在|是|发生在)昨[天日]
    像是昨[天日]发生
    昨天已成历史，?明天还?未可?知?
    过去的昨天
    不念昨天，?不畏明天
    把今天当成?最后一天
    (?:活|过|珍惜)好?今天(?:就[行好])
    [今明]天有酒[今明]天醉
    明天又是新的一天
    明天又明天
    过了今天没明天
    昨天[、，和是]\\p{Script=Han}{0,4}[，、]?今天[、，和是]\\p{Script=Han}{0,4}[，、]?明天
    昨天是(?:历史|过去)
    明天是(?:个?谜|未知|未来)
    今天是(?:礼物|恩赐)
    明天的事情?明天愁
    去年的皇历
    以今日之我战昨日之我
    [我吾]生待明日
    最好的时间是十年前
    明天(?:一定)?会(?:好的|好起来|更美)
    谁也?不?知道明天
    不(?:再)?相?信有?明天(?=[，。！]|$)
    别想明天(?=[，。！]|$)
    天明天暗
    昨天[才刚]?出生的(?=吗|啊|$)
    (?:没有|看不到|赢得|走向|拥抱|属于)明天(?=[，。！、]|$)
    明天的事情?明天再
    今天的事(?:情)?(?:今天[做毕]|[别不]要?拖)
    昨天的\\p{Script=Han}{1,8}今天的
    后天(?:可以|能|也能)(?:弥补|培养|改变)
    后天(?:读书|练|学|培养|玩\\p{Script=Han}{0,3}|吓|养)\\p{Script=Han}{0,3}出来
    后天(?:慢慢|逐渐|逐步|一点点|一点一点|刻意|不断)
    后天之本
    看后天怎么
    后天(?:乐队|牌)
    明天太阳(?:照常|依旧|依然|会照常)
    今天不学习，明天变
    今年二十，?明年十八
    今年过节不收礼
    明天就?是?世界末日
    今日唔知[听聽]日事
    [昨明]日黄花
    今朝有酒
    今非昔比
    早知今日
    今日事今日毕
    明年今日
    像(?:发生在)?昨天一样
    走到今天
    跟昨天似的
    今天工作不努力,?，?明天努力找工作
    明天会怎样
    算一天明天
    谁知道明天
    为了明天
    用明天的钱\\p{Script=Han}今天的梦
  `),
  // An age.
  ...lines(`
    (?:活|沉浸|停留)在(?:今天|昨天)
    (?:美好|更好|光明|辉煌|祖国|孩子们?|希望|人类|世界|中国|我们)的明天
    明天的(?:希望|栋梁)
    今[天日]的(?:年轻人|世界|中国|美国|日本|欧洲|印度|非洲|亚洲|社会|孩子|我|(?:[小中大])?学生)
    昨天的(?:我|辉煌|荣光|荣耀)
    [你我他她]的(?:今天|明天|昨天)
    今天的努力\\p{Script=Han}{0,4}明天的\\p{Script=Han}{1,4}
    去年的\\p{Script=Han}{1,6}今年的我
    没有昨天的
    我的昨天
  `),
];
