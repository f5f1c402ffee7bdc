/**
 * Words of courtesies, and what may stand beside them, in English and Chinese.
 * Pure data.
 */
export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}

/** Said out of courtesy, in agreement, in passing. */
export const COURTEOUS = words(`
thank thanks thankyou thx tnx tks ty tysm tyvm cheers ta merci gracias danke arigato appreciate appreciated grateful obliged indebted bless blessings
ok okay okey okie okeydokey okeydoke oki k kk alright alrighty yes yep yeah yup yea ya yay aye sure certainly absolutely definitely totally surely
no nope nah naw great good nice cool perfect awesome amazing wonderful excellent brilliant lovely fantastic superb fine fab neat sweet stellar terrific
marvelous marvellous incredible impressive phenomenal magnificent outstanding splendid gorgeous stunning epic dope lit sick rad wicked ace solid
flawless bingo bravo kudos congrats congratulations legend legendary genius lifesaver champ champion hero angel gem treasure
spot-on nailed smashing ideal delightful beautiful beautifully adorable cute sorry apologies apologise apologize pardon oops oopsie whoops
bad typo typos autocorrect ignore disregard scratch nevermind nvm nm mistake misclick mistyped hi hello hey heya hiya yo howdy greetings hullo
morning mornin evening afternoon night nite nighty gn gm g'night g'day goodnight goodmorning bye goodbye byebye cya ciao adios later laters cheerio
ttyl ttfn toodles farewell sayonara brb afk bbl bbs gtg g2g xoxo hugs lol lmao lmfao rofl hm um uh er ah aha oh ooh wow whoa woah wowza omg omfg omw
ugh meh phew phwoar whew yay hooray hurray woohoo ouch eek yikes argh aw aww awww gosh dang damn darn jeez geez blimey crikey sheesh welp np yw
welcome please pls plz gotcha noted understood roger wilco exactly precisely indeed agreed agree deal true correct done sounds ikr
ofc obviously naturally interesting fascinating sec secs hang bear gimme lemme xd hehe ha haha heh lmk tgif peace
fingers crossed luck kidding jk joking mwah muah voila ta-da tada amen anytime yawn zzz brilliantly splendidly superbly
3q 3x tq tnk merci beaucoup danke schoen gracias grazie obrigado spasibo xiexie arigatou arigato 88 886 520 orz qaq rofl 666 233 okie dokie oki wait hold
spiffing champion's dandy peachy swell jolly righto righty roger-dodger yup-yup yessir yes-sir aye-aye okey-doke mhm mhmm uh-huh uhhuh nuh-uh welp whelp
alas bah boo brr bleh blah duh eh ew eww gah gee golly grr ha-ha hah harrumph hooah hoorah huzzah lordy my-my oof ooh ouchie oy pfft phooey pish psst
shh shoot shucks tsk tut ugh-oh uh-oh whee whoop whoops-a-daisy whoopee woot wowee yahoo yippee yoohoo yuck yum zing zounds holy heck hell fiddlesticks
snap boom bam sweetness magic magical wizard wizardry sorcery priceless riveting uncanny speechless floored impressed stoked thrilled chuffed delighted
relieved relief grateful touched honoured honored humbled owe goodbye's toodle-oo tata ta-ta cheerio catch laterz peaceout adieu bonsoir bonjour guten
likewise duly perhaps dokey yyds ditto touche
hola namaste aloha salut konnichiwa annyeong muchas por favor prego bitte`);

/** May stand beside them, and says nothing by itself. */
export const BESIDE = words(`
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
rush hurry distracted sidetracked interrupted late replying laugh laughed laughs giggle giggled chuckle chuckled smile smiled smiling
grin cracked better listening shine rise raining snowing ready
woke waking solved resolved drowsy corrected rn atm lately awhile
errands train bus taxi uber flight boarding gate landing pickup drop dropping commute commuting parking`);

/** Tells the agent how to go on, or how somebody feels; of what, other words say. */
export const GOING_ON = words(`
continue continued proceed resume retry redo undo redone leave cancel skip forward shorten shorter longer expand elaborate rephrase reword rewrite simplify
simpler repeat repeated translate explain clarify correct corrected fix fixed finish start restart begin change swap replace delete remove add save undo
approve approved accept accepted reject rejected confirm confirmed submit publish post posted send print copy use used keep kept hold ship merge merged
bored boring annoying annoyed frustrated frustrating angry upset sad happy happier excited exciting nervous anxious stressed stressful tired tiring sleepy
lonely hungry starving thirsty cold hot freezing boiling awful terrible horrible weird strange odd rough tough hard harder crazy ridiculous unbelievable
unfair gross disgusting creepy scary pathetic lazy busy grumpy moody emotional proud jealous embarrassed embarrassing ashamed guilty lucky unlucky
overwhelmed overwhelming devastated heartbroken furious livid restless miserable hopeless useless pointless finally eventually okay-ish sucks suck sucked wtf smh idk idc imo imho tbh fyi btw tldr ffs wth huh eww nvmd dunno whatevs
awake robot bot human ai assistant joke jokes song poem entertain sing misunderstood misunderstand understand understood wrong escalated
answer answers version bullet bullets points wordy format formatting table sentence sentences paragraph paragraphs tone grammar spelling emoji emojis
clue idea ideas notch captain test testing tested mondays tuesdays wednesdays thursdays fridays saturdays sundays specific summary
believe believed guess guessed suppose reckon imagine doubt swear bet wonder wondering believe
feel feels feeling felt cry cried scream screaming breathe breathing hate mess messy nightmare disaster hope hoping nailed failed`);

/** Of Chinese, simplified; the longest that fits is taken. */
export const HAN_COURTEOUS = words(`
谢谢 感谢 多谢 谢啦 谢了 拜谢 跪谢 辛苦 费心 受累 有劳 劳驾 麻烦 承蒙 打扰 叨扰 失礼 见谅 包涵 客气 不客气 不用谢 别客气 没事 没事儿 没关系 没问题 没毛病
没意见 没异议 不好意思 对不起 抱歉 打错 打错字 发错 漏字 看错 点错 按错 说错 搞错 手滑 口误 笔误 误触 误会 撤回 当我没说 我的锅 我的错 别管 算了 随便 随意
都行 都可以 无所谓 照旧 收到 明白 懂了 了解 知道了 知道 晓得 记住 记下 原来如此 原来 怪不得 难怪 这样 那样 这么 那么 就这样 就那样 好的 好滴 好哒 好嘞 好咧
好 行 可以 没错 是的 是 对 对的 当然 同意 赞同 赞成 赞 点赞 听你的 听您的 听你 按你 照你 依你 就这么办 就这么定 一言为定 成交 妥 妥妥 搞定 得嘞 得令 遵命 要得
早安 早上好 早 上午好 中午好 午安 下午好 傍晚好 晚上好 晚安 晚好 你好 您好 大家好 哈喽 哈罗 哈啰 嗨 嘿 喂 拜拜 拜 掰 掰掰 再见 再会 回见 回头见 回聊 明天见
明天聊 明儿见 改天 改日 下次 下回 下周 待会 待会儿 一会儿 晚点 晚些 好梦 美梦 做梦 祝 祝福 愉快 快乐 顺利 平安 健康 如意 慢慢来 不急 不着急 别急 别担心 放心 棒 厉害 牛
妙 绝了 给力 完美 不错 贴心 周到 好用 好笑 逗 有趣 搞笑 开心 高兴 满意 舒服 舒坦 专业 靠谱 精彩 优秀 漂亮 到位 周全 细致 及时 正好 正是 想要 需要 有道理 在理 有意思
有点意思 说得对 说得是 说得好 服了 佩服 膜拜 给跪 神了 好家伙 不愧 真有你的 爱了 比心 撒花 鼓掌 涨知识 学到 学到了 受教 长见识 开眼 恍然大悟 让我想想 容我 想想 想一想 看看 考虑
等等 等 等下 等一下 等会 等会儿 稍等 稍候 马上 哈 哈哈 呵呵 嘻嘻 嘿嘿 哇 啊 哎 哎呀 哎哟 唉 哦 噢 喔 嗯 呃 额 诶 咦 呜 天哪 天呐 天啊 我的天 妈呀 我去 卧槽 我靠 加油
恭喜 干杯 抱抱 爱你 么么哒 笑死 继续 歇 休息 早睡 先睡 睡 睡觉 睡了 困 累 饿 下班 上班 出门 到家 开车 开会 吃饭 洗澡 接电话 接个电话 上厕所 忙 撤 溜 闪 走 告辞 失陪
下线 新年好 新年快乐 春节 中秋 国庆 端午 节日 假期 周末 生日 一路顺风 顺风 保重 多保重 注意身体 多亏 幸好 幸亏 有你 yyds 六六六
蟹蟹 谢咯 谢谢哈 叩谢 鸣谢 致谢 三克油 栓q 阿里嘎多 谢天谢地 感恩 感激 感激不尽 破费 大恩 哼 哼哼 啧 啧啧 嘘 哦豁 好耶 嚯 嗬 哇塞 哇噻 我擦 天啦 妈耶 好险 吓死 吓我一跳 咳咳 嗐 害
噗 噗嗤 呜呜 嘤嘤 啊这 绝绝子 无语 救命 囧 晕 服气 啊哈 哟呵 呦 嘶 呸 嗷嗷 耶 唔 唔唔 呼 好惨 可怜 可爱 萌 暖 暖心 感动 泪目 笑 笑死我了 笑不活 笑不活了 笑喷 笑哭 笑疯 乐死 逗死
太逗 肚子疼 hhhh 红红火火 恍恍惚惚 琢磨 捋一捋 捋捋 组织 语言 怎么说 想不起来 卡壳 斟酌 掂量 回味 消化 缓缓 缓一缓 缓口气 喘口气 歇会 歇会儿 歇歇 喝口水 倒杯水 上个厕所 拿快递
拿个快递 敲门 按门铃 按 有人 电话响 来电话 电话 打断 稍微 稍后 稍晚 随后 过会 过会儿 这就 就来 来了 来啦 在呢 在的 在 回来了 久等 久违 好久不见 幸会 久仰 欢迎 请 请进 请坐 请便
老铁 伙计 哥们 兄台 大佬 大神 高手 学霸 老板 小可爱 小天使 小能手 搭档 拍档 宝藏 神仙 救星 功臣 天才 学到老 照办 照做 照这个 按这个 按你说 就按 就它 就它了 就这个 就这些 就用 用这个
这个好 选这个 定这个 定了 拍板 通过 批准 支持 举双手 双手 认可 采纳 依你 都听你的 你说了算 你定 你看着办 看着办 交给你 交给你了 靠你 靠你了 拜托 拜托了 走你 冲 冲鸭 开干 开工 开始 动手
干吧 来吧 去吧 发吧 写吧 做吧 走起 搞起 没得说 没话说 无可挑剔 挑不出 毛病 一针见血 言简意赅 清晰 明了 易懂 实用 有用 受用 帮到 帮到我 帮大忙 解决 解决了 正合我意 合我意 深得我心 心意
心有灵犀 刮目相看 大开眼界 名不虚传 果然厉害 手抖 手误 眼花 脑抽 脑子 糊涂 迷糊 粗心 大意 疏忽 怪我 我的错 我的 错 不该 见笑 献丑 惭愧 罪过 莫怪 别见怪 别介意 不介意 无妨 不碍事
不打紧 小事 小意思 应该的 哪里 哪里哪里 过奖 彼此 互相 同乐 同喜 大吉 吉祥 发财 团圆 安康 好眠 安眠 入睡 躺平 充电 关机 断网 没电 闪人 溜了 撤了 走了 走啦 出发 上车 下车 到站 到了
登机 起飞 收摊 打烊 打卡 摸鱼 干饭 干饭了 开饭 开饭了 用餐 遛弯 遛狗 散步 健身 跑步 带娃 哄娃 接娃 接孩子 吉言 借你吉言 一样一样 你也是 不要紧 醉了 稳了 刚睡醒 可恶 弄好了 看情况 终于周五
就到这 到这 就到这里 到这里 先到这 先到这里 今天就到这里 洗个澡 冲个澡 做饭 洗碗 追剧 看球 打球 打游戏`);

/** The same: degrees, particles, the small change of a sentence. */
export const HAN_BESIDE = words(`
我 你 您 他 她 咱 咱们 我们 你们 大家 自己 了 的 地 得 呢 吧 啊 呀 哦 啦 嘛 呗 咯 喔 哈 耶 哟 噻 撒 嗷 哩 滴 呐 哒 着 过 们 那 这 那就 就 也 都 真 真的 太 很 好 挺 超级
特别 非常 十分 相当 实在 确实 果然 简直 先 再 又 还 更 最 会 要 去 来 到 有 有点 一点 点 些 一些 话 说 说的 个 下 上 一 一下 这会儿 现在 刚 刚才 刚刚 今天 今晚 今儿 明天 明早
明儿 后天 昨天 早上 上午 中午 下午 晚上 夜里 这里 这儿 那里 那儿 这个 那个 这事 那事 事 事情 意思 时候 答案 回答 回复 建议 写 写得 做 做得 讲 讲得 整理 安排 干 干得
解释 帮忙 帮 帮我 帮了 大忙 省 省事 省心 省得 想 看 听 用 给 让 叫 跟 和 与 对 为 为了 把 被 从 在 不 没 别 没有 可 可是 但 但是 不过 所以 因为 然后 于是 而且
以后 之后 之前 一直 总是 已经 正 正在 多 少 每 几 两 三 点儿 起来 出来 下来 过来 回来 回去 出去 进来 完了 好了 行了 够了 算 算是 当
像是 应该 可能 大概 也许 肯定 一定 必须 能 能够 会儿 一会 一天 一整天 分钟 回头 脑子 中间 清楚 明白 聊 谈 见 找 忙 忙着
到此 为止 结束 收工 打住 结束了 打个 盹 眯 一路 万事 恭喜发财 朋友 兄弟 姐妹 老师 亲 亲爱的 宝 宝贝 助理 小助手`);

/** The same as GOING_ON. */
export const HAN_GOING_ON = words(`
接着 接着说 往下 往下说 说下去 讲下去 写下去 继续说 继续写 继续讲 再来 再来一个 再来一遍 重来 重新 重写 重做 重试 换一个 换个 再试 再试试 试试 缩短 简短 短一点 长一点 展开 详细 翻译 改写 润色
改一下 改改 删掉 删了 去掉 加上 保存 提交 发送 发出去 确认 取消 停 停下 打断 跳过 下一个 下一条 上一条 照搬 保留 留着
气死 烦死 累死 饿死 困死 急死 热死 冷死 忙死 美死 爽 爽死 气人 气炸 烦 烦人 烦躁 郁闷 难过 难受 伤心 委屈 生气 愤怒 激动 紧张 焦虑 害怕 担心 无聊 孤单 孤独 崩溃 绝望 心累 心疼 心酸 心烦 尴尬 丢人
丢脸 不信 我信 确定 随你 搞砸 搞砸了 成功 成功了 失败 失眠 睡不着 没睡好 下雨 下雪 刮风 好冷 好热 冷 热 天气
说法 写法 表达 表述 措辞 思路 角度 方式 风格 耐心 细心 用心 体贴 温柔 每次 次 顺 不顺 再说一遍 再说 一遍 听懂 听不懂 没听懂 看懂 看不懂 没看懂 说人话 人话 语气 正式 口语 简单 简短 简单点 重点 废话 忽略 上一句 摸摸 摸头 摸摸头 机器人 人工智能 笑话 讲个笑话 唱歌 唱首歌
羡慕 嫉妒 骄傲 后悔 头疼 头大 想哭 想死 想吐 哭 哭了 哭死 破防 emo 麻了 裂开 躺平 摆烂 完蛋 倒霉 糟糕 糟心 太难 好难 难 惨 惨了 可惜 遗憾 期待 终于 总算 解脱`);
