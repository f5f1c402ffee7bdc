/**
 * Words that say nearly the same in everyday talk, in English and in Chinese:
 * who asks what the trip cost is answered by what was paid, who asks about a
 * knee by 膝盖.
 *
 * Pure data, a line a meaning; one word may stand in several. No thesaurus:
 * only what people use for each other when they tell of work, home and health.
 */
import { wordTerms } from "./terms.js";

const MEANINGS = `
launch launched live golive start 上线 启用
release ship shipped deploy rollout 发布 发版 部署 启动 上线
delay delayed postpone postponed slip slipped moved reschedule late 推迟 延期 延后 改期
cancel cancelled canceled drop dropped scrap 取消 不去
die died dead kill killed killing crash crashed fail failed failing failure break broke broken down 挂 崩 失败 坏
fix fixed repair repaired solve solved mend resolve 修 修好 解决 修复
error bug fault problem issue trouble 错误 故障 毛病 问题 报错
cause reason why because root 原因 因为 为什么
seat seats capacity fit room passengers 座位 容量 人数 乘客
boat boats ferry ferries ship ships sailing sailings 船 渡轮 轮船 班次
ticket tickets booking bookings reservation reserve book booked 票 预订 订单 预约 订
pay paid payment cost price fee charge bill invoice 付 付款 费用 价格 花了 自付 账单 多少钱
budget cap limit ceiling maximum most 预算 上限 限制 最多
refund refunds money back 退款 退钱
insurance covered reimbursed 医保 保险 报销
salary wage pay income raise 工资 薪水 收入
phone number call telephone contact 电话 号码 联系
address street location where 地址 位置 在哪
password code pin key passcode 密码 口令 验证码
meeting call appointment 会议 开会 预约
deadline due date 截止 到期
birthday born 生日 出生
wedding marry married marriage 婚礼 结婚
mother mom mum mama 妈 妈妈 母亲 我妈
father dad papa 爸 爸爸 父亲 我爸
sister 妹妹 姐姐
brother 弟弟 哥哥
wife husband spouse partner 妻子 丈夫 老婆 老公 爱人
child children kid kids son daughter baby 孩子 儿子 女儿 宝宝
friend friends buddy mate 朋友 同学
boss manager lead supervisor 老板 经理 领导
colleague coworker team teammate 同事 团队
doctor physician specialist surgeon 医生 大夫
dentist teeth tooth dental 牙医 牙 牙齿
hospital clinic ward 医院 诊所 病房
vet veterinarian 兽医 宠物医院
vaccine vaccination shot jab 疫苗 打针
operation surgery operated 手术 开刀
knee 膝盖 膝
back spine 腰 背
head headache 头 头疼
eye eyes glasses 眼睛 眼镜
medicine medication pills drug dose 药 吃药 剂量
pain hurt ache sore 疼 痛
ill sick illness disease 病 生病
allergy allergic 过敏
weight weigh weighs weighed kilos kg heavy scales 体重 公斤 斤 称
height tall high 身高 高
food meal eat ate eating feed feeding 吃 饭 喂 喂食 食物
breakfast 早饭 早餐
lunch 午饭 午餐
dinner supper 晚饭 晚餐
restaurant eatery cafe place 餐厅 饭店 馆子 店
tea 茶
coffee 咖啡
water 水
peanut peanuts 花生
cake dessert sweet 蛋糕 甜点
cat kitty kitten 猫
dog puppy 狗
house home flat apartment 家 房子 公寓
rent landlord lease 房租 房东 租
kitchen 厨房
bedroom room 房间 卧室
move moved moving relocate 搬 搬家
car drive driving vehicle 车 开车
train rail station 火车 高铁 车站
plane flight fly airport 飞机 航班 机票 机场
hotel stay inn lodging accommodation 酒店 宾馆 住
trip travel journey holiday vacation tour 旅行 旅游 出差 度假
luggage bag suitcase backpack rucksack 行李 包 箱子 背包
passport visa 护照 签证
beach sea coast 海边 海滩 海
mountain hill hike 山 爬山
weather rain snow 天气 雨 雪
photo photos picture camera film 照片 相机 拍照 胶卷
music song tune piece instrument 曲子 音乐 歌 乐器
practice practise rehearse exercise 练 练习
teacher tutor instructor 老师 教练
school class lesson course 学校 课 上课
exam test score grade 考试 成绩 分数
book read reading novel 书 读 看书
movie film cinema 电影
game play 游戏 玩
sport run running gym workout 运动 跑步 健身
swim swimming pool 游泳
gift present 礼物 送
buy bought purchase got 买
sell sold 卖
shop store market 店 商店 超市
money cash fund savings 钱 基金 存款
bank account loan mortgage 银行 账户 贷款
stock invest investment shares 股票 投资
tax taxes 税
contract agreement sign signed 合同 协议 签
company firm business 公司
customer client user 客户 用户
office desk 办公室
job work position role 工作 职位 岗位
interview 面试
hire hired join joined 入职 招
leave left quit resign resigned away 离职 请假 辞职
parental maternity paternity 产假 育儿假
promotion promoted 升职
project 项目
plan plans schedule 计划 安排
decide decided decision choose chose pick 决定 选 定
change changed switch instead now 改 换 变
agree agreed promise promised 同意 答应 说好
suggest suggested recommend recommended advice advise 建议 推荐
argue argument quarrel fight 吵架 争论
first original originally initially begin start earliest 最早 最初 原来 第一
last final latest recent recently 最近 最后 最新
before earlier previously ago 之前 以前
after later afterwards 之后 后来
morning 早上 上午
afternoon 下午
evening night 晚上
weekend 周末
today 今天
database postgres sqlite sql storage 数据库
server host hosting 服务器 主机
staging production environment 测试环境 正式环境 线上
rollback revert undo 回滚 退回
timeout limit seconds slow 超时 慢
throttle throttling rate quota 限流 频率
queue backlog 队列 堆积
test tests testing 测试
code review pull merge commit 代码 合并 提交
version branch tag 版本 分支
backup restore recovery 备份 恢复
alert alarm monitoring notification 告警 报警 监控
rota shift duty 值班 轮班
password login account access 登录 账号 权限
laptop computer machine 电脑
keyboard mouse screen 键盘 屏幕
file folder document 文件 文档
email mail message 邮件 消息
letter post mail parcel package delivery 信 快递 包裹
happy glad delighted joy pleased 开心 高兴
sad upset unhappy 难过 伤心
angry mad furious 生气
worried anxious nervous stress 担心 焦虑 紧张
tired exhausted sleepy 累 困
like love enjoy favourite favorite prefer 喜欢 爱 最爱
hate dislike 讨厌 不喜欢
want wish hope 想 希望
win won winner prize award 赢 获奖 奖
lose lost 丢 输
big large huge 大
small little tiny 小
expensive pricey 贵
cheap inexpensive affordable 便宜
old age years 年龄 岁
new 新
name called named 叫 名字
size measure big 尺寸 大小 尺码
colour color 颜色
mistake mistakes wrong error slip 错 失误 拉错
notice noticed hear heard 听出 发现 注意
wait waiting 等 等待
minutes long duration hours 分钟 小时 多久
often frequent times frequency 次 多久一次 几次
crew staff employee 员工
kids school group groups 学生 团体
dock harbour harbor port pier 码头 港口 港
island 岛
night nap sleep asleep 睡 睡觉
dress clothes wear shoes 衣服 鞋 穿
haircut hair 头发
garden plant plants flowers 花 植物 花园
incident outage downtime 事故 宕机
postmortem retrospective retro 复盘 回顾
drill exercise practice simulation 演练 演习
owner responsible ownership 负责 牵头
approve permission greenlight signoff 批准 审批
rewrite rewrote rewritten refactor 重写 重构
migrate switchover cutover 迁移 切换
requirement spec specification 需求 规格
reviewer approver 评审 审核
comment feedback remark 评论 反馈 意见
slides deck presentation ppt 幻灯片 演示
agenda topics 议程 议题
candidate applicant 候选 应聘
resume cv 简历 履历
fired layoff sacked redundancy dismissed 裁员 开除 辞退
intern internship trainee 实习
bonus incentive 奖金 年终奖
overtime crunch 加班
probation trial 试用 转正
remote wfh telework 远程 居家
supplier vendor provider 供应商 厂商 供货
negotiate 谈判 商谈
renew extend 续签 续约 续期
expire expiry lapse 过期 失效
penalty fined forfeit 罚款 违约金
quote quotation estimate 报价 估价
receipt invoice 发票 收据 小票
reimburse expense claim 报销
target goal objective aim 目标
milestone phase stage 阶段 里程碑
priority urgent urgency 优先 紧急
progress status headway 进度 进展
estimate approximately roughly 大概 大约 估计
stuck blocked bottleneck blocker 卡住 瓶颈
handover handoff takeover 交接 移交
training workshop seminar 培训 研讨
speech lecture talk keynote 演讲 讲座 发言
attend participant attendee 参加 出席 参会
rule policy regulation 规定 制度 政策
breach hacked leaked compromised 泄露 被黑 入侵
config configuration setting parameter 配置 设置 参数
increase growth rise rose 增长 上涨 增加
decrease decline fell reduce reduction 下降 减少 降低
total altogether sum overall 总共 一共 合计
minimum least lowest fewest 最少 最低 至少
double twofold 翻倍 两倍 加倍
shortage lack scarce insufficient 不够 短缺 不足
leftover remaining remainder 剩下 剩余 剩了
haggle bargain discount cheaper 讲价 还价 砍价 便宜
discount sale markdown deal 打折 折扣 优惠 特价
coupon voucher promo 优惠券 代金券
instalment financing 分期 月供
free complimentary freebie giveaway 免费 赠送 白送 赠品
deposit prepaid upfront 押金 定金 订金
owe debt indebted 欠款 欠钱 债
borrow lend lent 借 借给
repay repaid payoff 还款 还钱 还清
save frugal thrifty 省钱 存钱 攒钱
spend spent expenditure outlay 花钱 支出 开销 花费
subscription membership subscribe 订阅 会员
warranty guarantee 保修 质保
return exchange refund 退货 换货 退换
currency forex 汇率 外币 换汇
transfer wire remit 转账 汇款
withdraw withdrew withdrawn atm 取钱 取款 提款
credit debit card 信用卡 银行卡 刷卡
interest apr 利息 利率
profit earnings margin 利润 盈利 赚钱 赚了
donate charity 捐款 慈善 捐
tip gratuity 小费
grocery shopping errands 买菜 采购
secondhand used preowned 二手
courier delivery 物流 寄
arrive reached landed 到达 抵达 到货
scam fraud swindle conned 诈骗 被骗 骗
complain complaint grievance 投诉 抱怨
compensation damages 赔偿 补偿 赔
raise payrise 加薪 涨薪
pension retire 退休 养老金
tenant renter lodger 租客 房客
mortgage 房贷 按揭
electricity utilities power 电费 水电
fuel petrol gasoline diesel 加油 汽油 油费
parking carpark garage 停车 车位 车库
grandmother grandma granny nana 奶奶 外婆 姥姥
grandfather grandpa granddad 爷爷 外公 姥爷
grandson granddaughter grandchild grandchildren 孙子 孙女 外孙
aunt auntie 阿姨 姑姑 姨妈 舅妈
uncle 叔叔 舅舅 伯伯 姑父
cousin 表哥 表姐 表弟 表妹 堂哥
nephew 侄子 外甥
niece 侄女 甥女
parents folks 父母 爸妈 家长
sibling brother sister 兄弟 姐妹 兄妹
twin triplet 双胞胎
infant newborn toddler baby 婴儿 新生儿 幼儿
pregnant pregnancy 怀孕 孕期 怀了
birth childbirth labour labor 分娩 顺产 剖腹
divorce separated 离婚 分居
engaged fiance fiancee 订婚 求婚
girlfriend boyfriend 女友 男友 恋爱
breakup dumped 分手
hometown birthplace native 老家 家乡 故乡
neighbour neighbor 邻居 隔壁
roommate flatmate housemate 室友 合租
visit 看望 拜访 探望
funeral burial cemetery buried 葬礼 下葬 墓地
death died deceased passed 去世 过世
nanny babysitter childminder sitter 保姆 月嫂
kindergarten nursery daycare preschool 幼儿园 托儿所
injury hurt wounded injure 受伤 伤到
fracture broken bone 骨折 骨头
sprain twisted 扭伤 崴
cut wound bleed bled 伤口 流血 割伤
burn burnt scald 烫伤 烧伤
fever feverish temperature 发烧 体温
cold flu influenza 感冒 流感
cough phlegm 咳嗽 咳
throat tonsil 嗓子 喉咙
ear deaf 耳朵 听力
stomach tummy belly abdomen 胃 肚子
vomit puke nausea nauseous 呕吐 恶心
diarrhea diarrhoea 拉肚子 腹泻
dizzy faint 头晕 晕倒
insomnia sleepless awake 失眠 睡不着
heart cardiac cardiologist 心脏
hypertension systolic 血压 高血压
diabetes insulin 糖尿病 血糖
cancer tumour tumor 癌 肿瘤
asthma inhaler wheeze 哮喘 气喘
skin rash eczema hives itchy 皮肤 疹子 湿疹 痒
diagnosis diagnosed 诊断 确诊
checkup examination 体检 检查
prescription prescribed 处方 开药
pharmacy chemist drugstore 药店 药房
antibiotic penicillin amoxicillin 抗生素 消炎药
painkiller ibuprofen aspirin paracetamol 止痛药 布洛芬
hospitalised hospitalized admitted inpatient 住院
ambulance emergency er 急救 急诊 救护车
stitches sutures 缝针 拆线
splint brace crutches 石膏 护具 拐杖
scan mri xray ultrasound 拍片 核磁 超声
rehab physio physiotherapy rehabilitation 康复 理疗
recover recovery recuperate heal 恢复 痊愈 好转
therapist counsellor counselor psychologist 心理 咨询师
depression melancholy gloomy 抑郁
diet slimming 减肥 节食 瘦身
fat overweight obese chubby 胖 肥胖 超重
smoke cigarette tobacco 抽烟 吸烟 香烟
alcohol drinking drank booze 喝酒 饮酒
period menstrual menstruation 月经 例假
filling cavity decay 蛀牙 补牙
braces orthodontist aligner 牙套 矫正 正畸
shoulder 肩膀 肩
neck cervical 脖子 颈椎
wrist 手腕 腕
ankle 脚踝 脚腕
muscle tendon ligament 肌肉 韧带 肌腱
pet animal 宠物 动物
rabbit bunny 兔子 兔
bird parrot budgie 鸟 鹦鹉
fish goldfish aquarium 鱼 金鱼 鱼缸
neuter spayed sterilised castrated 绝育 结扎
deworm flea ticks parasite 驱虫 跳蚤
leash harness walkies 遛狗 狗绳 牵引
bite bitten 咬 咬伤
recipe cookbook 菜谱 食谱 做法
spicy chili chilli 辣 辣椒
vegetarian vegan meatless 吃素 素食
meat beef pork 肉 牛肉 猪肉
seafood shellfish shrimp prawn crab 海鲜 虾 螃蟹
egg yolk 鸡蛋 蛋
milk dairy lactose 牛奶 乳糖
flour gluten wheat 面粉 小麦 麸质
soy soya tofu 豆腐 大豆 豆浆
nut almond walnut cashew 坚果 核桃 杏仁
coriander cilantro 香菜
bake oven 烘焙 烤箱 烤
takeaway takeout 外卖 打包
fridge refrigerator freezer 冰箱 冷藏 冷冻
yeast sourdough ferment 酵母 发酵
rotten spoiled mouldy stale 变质 发霉 馊
intolerance sensitivity 忌口 不耐受
sofa couch settee 沙发
flooring tile parquet 地板 瓷砖
paint repaint painter 刷墙 油漆 刷漆
renovate refurbish remodel redecorate 装修 翻新
leak drip seep 漏水 渗水
plumber plumbing pipe 水管 管道
clogged blockage drain 堵 下水道
heating boiler radiator heater 暖气 供暖 锅炉
aircon ac conditioner 空调 冷气
blackout 停电 断电
electrician wiring socket 电工 插座 电线
laundry washer washing 洗衣机
clean cleaner tidy 打扫 清洁 收拾 保洁
mould mold mildew damp 霉 潮湿 发霉
area sqm acreage 面积 平米 平方
broker realtor agent agency 中介 经纪人
elevator lift 电梯
itinerary route path 路线 行程
distance far kilometres kilometers miles 距离 多远 公里
bus coach shuttle 公交 大巴 班车
subway metro underground 地铁
taxi cab rideshare 出租车 打车
bike bicycle cycling cyclist 自行车 骑车 单车
motorbike motorcycle scooter moped 摩托车 电动车
licence license 驾照 驾驶证 执照
tyre tire puncture 轮胎 爆胎
battery charge charger 电池 充电 电量
mechanic garage 修车 汽修
collision crash accident 车祸 撞车 追尾
congestion jam gridlock 堵车 拥堵
layover stopover 转机 中转 换乘
homestay guesthouse bnb 民宿 客栈
camping tent campsite 露营 帐篷
sightseeing attraction landmark 景点 观光
jetlag timezone 时差 时区
seasick carsick 晕车 晕船
diving scuba snorkel 潜水 浮潜
kayak canoe rowing paddle 皮划艇 划船
homework assignment coursework 作业 功课
essay thesis dissertation 论文 作文
graduate degree diploma 毕业 学位
phd doctorate 博士 读博
scholarship bursary 奖学金
enrol admission admitted 录取 入学
apply application 申请
register registration signup enrol 报名 注册 登记
semester term 学期
professor lecturer prof 教授 讲师 导师
pass 及格 考过 通过
flunk failed 挂科 不及格
retake resit redo 补考 重考
revise study cram 复习 温习
memorize memorise recite 背诵 背下 背熟
vocabulary vocab 单词 词汇
finish complete 完成 读完 看完 做完
bookmark halfway midway 读到
author writer novelist 作者 作家
rank 排名 名次
diary journal notebook 日记 手账
cello cellist 大提琴 琴
violin fiddle violinist 小提琴 琴
piano pianist 钢琴 琴
guitar ukulele 吉他
drum percussion 打鼓 架子鼓
tuning pitch intonation 调音 音准
scale arpeggio 音阶
sheet notation score 乐谱 谱子
rhythm beat tempo metronome 节奏 节拍 拍子
concert recital gig performance 演出 演唱会
orchestra symphony ensemble band 乐团 乐队
choir chorus choral 合唱
sing sang sung singer 唱歌 歌手 唱
dance ballet dancer 跳舞 舞蹈
draw drew drawn sketch painting 画画 素描
pottery ceramics clay 陶艺 陶瓷
knit crochet yarn 毛线 编织
sew sewn stitch tailor 缝纫 裁缝 缝
woodwork carpentry joinery 木工 木匠
chess checkmate 象棋 下棋
fishing angling rod 钓鱼
telescope astronomy stargazing 望远镜 天文 星星
series episode season 电视剧 剧集 追剧
theatre theater musical 话剧 剧院
volunteer voluntary 志愿者 义工
football soccer 足球 踢球
basketball hoops 篮球
badminton shuttlecock 羽毛球
tennis racket racquet 网球 球拍
ski snowboard 滑雪
climbing bouldering 攀岩
marathon race 马拉松 半马 全马
jog ran 慢跑 跑步
pace speed 配速 速度
barbell dumbbell weightlifting 举重 哑铃 撸铁
competition contest tournament championship 比赛 竞赛 锦标赛
champion winner 冠军 夺冠
coach trainer instructor 教练 私教
walk stroll 散步 走路 步数
afraid scared fear frightened 害怕 恐惧 吓到
lonely loneliness isolated 孤独 寂寞
homesick miss 想家 想念
embarrassed ashamed awkward 尴尬 丢脸
proud pride 骄傲 自豪
jealous envious envy 嫉妒 羡慕 吃醋
excited thrilled stoked 激动 兴奋
disappointed letdown 失望
regret remorse 后悔 遗憾
apologize apologise sorry 道歉 抱歉
forgive forgave forgiven pardon 原谅
reconcile reconciliation 和好 和解
conflict dispute disagreement clash 矛盾 冲突 分歧
estranged fallout feud 闹翻 翻脸 绝交
cry cried tears wept sobbed 哭 流泪
yell shout scream scold 大吼 喊 骂
blame accuse criticise criticize 责怪 指责 批评
lie lied lying dishonest 撒谎 说谎
rumour rumor gossip 谣言 八卦 传闻
bully teased harassed 欺负 霸凌
affair unfaithful cheated betray 出轨 背叛 劈腿
burnout exhausted 倦怠 累垮
dream dreamt nightmare 做梦 噩梦 梦见
noise noisy loud racket 噪音 太吵
storm thunderstorm thunder lightning 暴雨 打雷 雷雨
typhoon hurricane cyclone 台风 飓风
wind windy breeze gust 大风 刮风
flood deluge 洪水 淹
earthquake quake tremor 地震
fire wildfire blaze 火灾 着火 起火
hot heat heatwave warm 炎热 高温 很热
cold chilly freezing frost 寒冷 很冷
spring springtime 春天 春季
summer summertime 夏天 夏季 暑假
autumn fall 秋天 秋季
winter wintertime 冬天 冬季 寒假
sunset dusk twilight 日落 黄昏 傍晚
blossom bloom 开花 花开
bee wasp hornet stung 蜜蜂 马蜂 蜇
pollen hayfever 花粉
daily everyday 每天 天天
weekly 每周 按周
monthly 每月 按月
yearly annual 每年 年度
fortnight biweekly fortnightly 两周
holiday vacation 放假 假期 休假
noon midday lunchtime 中午 正午
quarter quarterly 季度
anniversary 周年 纪念日
late tardy 迟到 晚到
duration length 持续 时长
extension prolong lengthen extended 延长
pause suspend hiatus 暂停 中止
restart resume reopen reboot 重启
reject refuse decline 拒绝 婉拒
replace substitute swap 替换 代替 更换
alternative option choice 选项 备选 方案
hesitate undecided torn unsure 犹豫 纠结
vote ballot poll 投票 表决
persuade convince 说服 劝
compromise concession concede 让步 妥协 折中
propose pitch 提议 提案
success succeed 成功
worse worsen deteriorate 恶化 更糟 变差
lesson learned learnt takeaway 教训 经验
danger risk hazard 危险 风险
pledge commitment guarantee vow 承诺 保证 发誓
remind nudge 提醒 催
chore housework 家务
identity id identification 身份证 证件
residence permit 居住证 居留 户口
notary notarized notarised 公证
lawsuit sue court litigation 起诉 官司 法院
lawyer attorney solicitor 律师
police officer cop 警察 派出所
steal stole stolen theft thief 偷 小偷 被盗
inheritance heir 遗产 继承 遗嘱
emigrate immigrate 移民
draft outline 草稿 初稿 大纲
submit submission 提交 上交
embassy consulate 大使馆 领事馆
red crimson scarlet 红色 大红
blue navy 蓝色 蓝
green 绿色 绿
yellow golden 黄色
black 黑色 黑的
white 白色 白的
grey gray 灰色
purple violet 紫色 紫
pink rose 粉色 粉红
ring 戒指 婚戒
jacket coat parka 外套 大衣 夹克
boots sneakers shoes 靴子 球鞋 鞋子
wallet purse 钱包
smartphone mobile cellphone handset 手机
party celebration 派对 庆祝
gathering reunion 聚会 团聚
invite 邀请 请柬
venue hall 场地 会场
banquet feast reception 宴席 宴会 酒席
farewell goodbye 送别 告别 欢送
engineer developer programmer coder 工程师 程序员
director executive 总监 主管
ceo president chief 总裁 老总
principal headteacher headmaster 校长
recruiter hr headhunter 猎头 人事
driver chauffeur 司机
captain skipper 队长 船长
builder contractor 施工 包工头
mentor advisor adviser 导师 带教
anaesthetic anesthetic anaesthesia anesthesia 麻醉
pediatrician paediatrician pediatric paediatric 儿科
threw throw thrown toss discard
hide hid hidden conceal
teach taught instruct
build built construct
wake woke woken awoke
fall fell fallen tripped stumble
hit struck strike smacked
wear wore worn
tear tore torn rip
send sent dispatch
meet met encounter
admit confess acknowledge
beat beaten defeat
grow grew grown
shake shook shaken tremble
lead led guided
split divide halve
rude impolite disrespectful
considerate thoughtful attentive
stingy miserly tightfisted
lazy idle slacking
clever smart intelligent brainy
stupid dumb foolish silly
messy untidy cluttered disorganised
dirty filthy grubby stained
faulty defective malfunctioning
awful terrible horrible dreadful
excellent brilliant superb fantastic
gorgeous beautiful lovely
quick fast rapid swift
busy swamped overloaded
rich wealthy affluent
strict harsh stern
honest frank candid
useless pointless worthless
necessary essential required
temporary interim provisional
permanent indefinite forever
rare unusual uncommon
sudden unexpected abrupt
correct accurate precise
confused puzzled baffled
hurry rush hasten
skip omit bypass
allow permit authorise authorize
forbid forbidden banned prohibited
prevent avert stave
ruin destroy wreck
doubt sceptical skeptical
shrink shrank shrunk
hang hung dangle
push shove nudge
spill spilt pour
smell smelt stink odour odor
fragile delicate breakable
scatter spread strewn
drag pull yank
load stress 压测 压力
frontend client ui 前端
backend 后端
interface endpoint api 接口
cache cached caching 缓存
log logs logging 日志
dependency dependencies package library 依赖
index indexes indices 索引
script scripts 脚本
scheduled cron nightly 定时
cluster node nodes 集群 节点
image container docker 镜像 容器
pipeline ci build 流水线 构建
retry retries idempotent 重试 幂等
lock locked deadlock 锁 死锁
concurrency parallel race 并发
oversold double duplicate 超卖 重复
latency percentile slow 延迟 响应
threshold alarm 阈值
dashboard metrics chart 看板 大盘 指标
feature flag toggle 开关 灰度
documentation docs manual guide 文档 手册
runbook playbook 预案 手册
certificate certification 证书 认证
token credential key 令牌 密钥
domain dns hostname 域名
bandwidth traffic 流量 带宽
storage disk quota 磁盘 存储
upgrade update bump 升级 更新
downgrade pin 降级 锁定
deprecated retire sunset 下线 弃用
user customer client 用户 客户
registration signup register enrol enroll 注册 报名
shin calf leg 小腿 胫骨
thigh hamstring 大腿
ankle foot feet 脚踝 脚 脚腕
wrist hand 手腕 手
shoulder neck 肩 肩膀 脖子
elbow arm 胳膊 手臂
finger fingers fingertip 手指 指尖
stomach belly tummy 肚子 胃
throat cough 嗓子 喉咙 咳嗽
skin rash itch itchy 皮肤 疹子 痒
physio physiotherapy rehab rehabilitation recovery 康复 复健 理疗
discharge discharged 出院
admitted inpatient 住院
followup recheck revisit 复查 复诊
registration appointment 挂号
race marathon run 马拉松 比赛 赛跑
pace speed 配速 速度
training practice practise 训练 练习
lesson class tuition course 课 上课 学费
instrument cello violin guitar piano 琴 乐器 大提琴
tune melody song piece 曲子 旋律 歌
rent rental hire lease 租 租金
camera film lens 相机 胶卷 镜头
book novel reading 书 小说 读
luggage suitcase backpack bag 行李 箱子 背包
platform carriage coach seat 站台 车厢
checkin checkout arrival 入住 退房
breakfast meal 早餐 早饭
noodles rice soup 面 米饭 汤
peanut nut nuts 花生 坚果
kibble feed feeding food 猫粮 狗粮 喂
litter cat kitten 猫砂 猫
leash dog puppy 狗 遛狗
nickname alias 外号 小名 昵称
present gift souvenir 礼物 送
childhood little young 小时候 童年
`;

const SAME = new Map<string, Set<string>>();
for (const line of MEANINGS.trim().split("\n")) {
  const terms = line.split(" ").flatMap(wordTerms);
  for (const term of terms) {
    const known = SAME.get(term) ?? new Set();
    SAME.set(term, known);
    for (const other of terms) if (other !== term) known.add(other);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Terms that say nearly the same as this one; none where nobody wrote them down. */
export function synonymsOf(term: string): ReadonlySet<string> {
  return SAME.get(term) ?? NONE;
}
