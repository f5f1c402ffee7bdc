/**
 * Words that say nearly the same in everyday talk, in English and in Chinese:
 * who asks what the trip cost is answered by what was paid, who asks about a
 * knee by 膝盖.
 *
 * Pure data, a line a meaning; one word may stand in several. No thesaurus:
 * only what people use for each other when they tell of work, home and health.
 */
import { foldText } from "./fold.js";
import { stem } from "./stem.js";
import { termsOf } from "./terms.js";

const MEANINGS = `
launch release live ship shipped deploy rollout start 上线 发布 发版 部署 启动
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
`;

const SAME = new Map<string, Set<string>>();
for (const line of MEANINGS.trim().split("\n")) {
  const terms = line.split(" ").flatMap(termsIn);
  for (const term of terms) {
    const known = SAME.get(term) ?? new Set();
    SAME.set(term, known);
    for (const other of terms) if (other !== term) known.add(other);
  }
}

/** Of Chinese the pairs of a word; of a word of one character that. */
function termsIn(word: string): string[] {
  if (!/\p{Script=Han}/u.test(word)) return [stem(word)];
  const terms = termsOf(foldText(word));
  const pairs = terms.filter((term) => [...term].length === 2);
  return pairs.length > 0 ? pairs : terms;
}

const NONE: ReadonlySet<string> = new Set();

/** Terms that say nearly the same as this one; none where nobody wrote them down. */
export function saidAlike(term: string): ReadonlySet<string> {
  return SAME.get(term) ?? NONE;
}
