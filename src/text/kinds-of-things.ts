/**
 * What people ask for by its kind and tell by its name: who asks for
 * activities is answered by "we went camping", who asks for 宠物 by 猫.
 *
 * Pure data: everyday kinds, each with the words that ask for it and the words
 * that tell of it, in English and Chinese. No thesaurus: a word that tells of
 * nearly everything is in none.
 */
import { wordTerms } from "./terms.js";

interface Kind {
  question: string;
  statement: string;
}

const KINDS: readonly Kind[] = [
  {
    question:
      "activity activities hobby hobbies pastime interest interests leisure outdoor recreation destress unwind relax 活动 爱好 兴趣 消遣 业余",
    statement: `camping hiking hike swimming swim running run jogging yoga meditation dancing dance painting paint drawing pottery clay reading
      writing cooking baking gardening photography climbing kayaking surfing skiing snowboarding biking cycling fishing basketball football soccer
      tennis golf volleyball baseball gym workout museum concert picnic chess board video game theater singing guitar piano violin knitting sewing
      beach bowling sailing skating puzzle birdwatching crafts volunteering
      爬山 徒步 游泳 跑步 瑜伽 跳舞 画画 陶艺 读书 看书 写作 做饭 烘焙 园艺 摄影 攀岩 骑车 骑行 钓鱼 篮球 足球 网球 羽毛球 乒乓 健身 博物馆 音乐会 野餐 下棋 唱歌 吉他 钢琴 编织 露营 滑雪 旅行 电影 桌游`,
  },
  {
    question: "sport sports exercise exercises workout fitness martial athletic training 运动 锻炼 健身 武术",
    statement: `running run jogging swimming yoga pilates gym weights lifting cycling biking hiking climbing basketball football soccer tennis golf volleyball
      baseball boxing kickboxing karate taekwondo judo aikido jiujitsu fencing rowing skiing surfing skating marathon treadmill circuit cardio dance
      跑步 游泳 瑜伽 骑车 骑行 爬山 篮球 足球 网球 羽毛球 乒乓 拳击 空手道 跆拳道 柔道 太极 马拉松 滑雪 举铁 普拉提`,
  },
  {
    question:
      "place places city cities town country countries state states destination destinations region area where travel traveled travelled trip trips vacation vacationed visit visited 地方 城市 国家 哪里 哪儿 去过 旅游 旅行 景点",
    statement: `paris london rome berlin madrid barcelona lisbon vienna prague amsterdam brussels dublin edinburgh athens istanbul moscow tokyo kyoto osaka
      seoul beijing shanghai bangkok singapore bali dubai cairo sydney melbourne toronto vancouver montreal york boston chicago seattle miami
      vegas angeles francisco diego houston dallas austin denver portland orlando nashville hawaii california texas florida oregon alaska
      colorado washington michigan minnesota arizona nevada utah georgia virginia carolina england scotland wales ireland france italy spain
      portugal germany austria switzerland netherlands belgium denmark sweden norway finland iceland poland greece turkey russia egypt morocco
      kenya india china japan korea thailand vietnam indonesia philippines australia zealand canada mexico brazil argentina peru chile cuba
      coast northwest mountains lake island beach rockies alps
      北京 上海 广州 深圳 杭州 苏州 南京 成都 重庆 西安 武汉 长沙 青岛 厦门 大理 丽江 昆明 三亚 桂林 哈尔滨 大连 天津 香港 澳门 台湾 台北 日本 东京 大阪 京都 韩国 首尔 泰国 曼谷 新加坡 越南 马来西亚 美国 英国 法国 巴黎 德国 意大利 西班牙 伦敦 澳洲 加拿大 海边 山里`,
  },
  {
    question: "pet pets animal animals 宠物 动物",
    statement: `dog dogs puppy cat cats kitten hamster rabbit turtle turtles fish bird parrot snake horse lizard guinea gecko chicken goat
      猫 狗 小狗 小猫 兔子 仓鼠 乌龟 金鱼 鹦鹉 鸟`,
  },
  {
    question: "instrument instruments musical music band 乐器 音乐",
    statement: `guitar piano violin drums drum clarinet saxophone flute cello ukulele trumpet bass keyboard harp banjo song concert singer
      吉他 钢琴 小提琴 大提琴 鼓 笛子 二胡 古筝 口琴 萨克斯 尤克里里`,
  },
  {
    question:
      "family relative relatives child children kids sibling siblings parents household 家人 亲人 孩子 家里 父母 亲戚",
    statement: `son daughter kid kids baby toddler brother sister mom mum mother dad father husband wife grandma grandmother grandpa grandfather aunt uncle
      cousin niece nephew twins stepson stepdaughter
      儿子 女儿 哥哥 弟弟 姐姐 妹妹 爸爸 妈妈 父亲 母亲 爷爷 奶奶 外公 外婆 姥姥 老公 老婆 丈夫 妻子 我妈 我爸 表哥 舅舅 姑姑`,
  },
  {
    question:
      "event events occasion gathering celebration participated participate attended attend 活动 聚会 参加",
    statement: `parade festival conference workshop race fair concert wedding party gala fundraiser marathon exhibition ceremony competition tournament
      speech talk reading camp meetup reunion picnic graduation birthday anniversary show march protest rally meeting retreat class networking
      婚礼 生日 演唱会 音乐会 展览 比赛 会议 讲座 派对 年会 毕业 晚会 马拉松 庙会`,
  },
  {
    question:
      "food foods dish dishes meal meals dessert desserts snack snacks recipe recipes cuisine cook cooked bake baked 吃 菜 美食 甜点 零食 做菜",
    statement: `cake cookies cookie pie bread pizza pasta soup salad sushi ramen tacos burger chicken beef pork fish rice noodles dumplings curry cheese
      chocolate ice cream pancakes brownies muffins cupcakes tart lasagna stew sandwich breakfast dinner lunch barbecue roast coconut strawberry
      火锅 面条 饺子 米饭 烧烤 蛋糕 面包 披萨 寿司 牛排 红烧肉 豆腐 汤 粥 包子 甜品 冰淇淋 巧克力 月饼 粽子 烤鸭 海鲜`,
  },
  {
    question: "allergy allergies allergic 过敏 忌口",
    statement:
      "allergic allergy peanuts peanut dairy gluten lactose shellfish nuts pollen fur dust penicillin intolerant 过敏 花生 海鲜 花粉 牛奶 乳糖 青霉素",
  },
  {
    question: "job jobs career profession occupation work living 工作 职业 上班",
    statement: `engineer teacher doctor nurse lawyer manager designer developer banker accountant chef artist writer driver mechanic salesman consultant
      intern interview hired promoted promotion fired quit office company startup
      工程师 老师 医生 护士 律师 经理 设计师 程序员 会计 厨师 司机 面试 入职 离职 升职 跳槽 公司`,
  },
  {
    question:
      "health medical illness injury injuries sick condition symptom symptoms doctor 身体 生病 健康 看病 症状 病",
    statement: `doctor hospital surgery clinic pain ache headache fever flu cold sprain sprained broke broken injury injured diagnosed diagnosis medication
      medicine pills therapy asthma diabetes gastritis emergency checkup
      医院 医生 手术 发烧 感冒 头疼 胃疼 牙疼 骨折 扭伤 体检 复查 吃药 挂号 住院 过敏 血压 血糖`,
  },
  {
    question: "vehicle vehicles car cars 车",
    statement:
      "car truck van suv bike motorcycle bus prius toyota honda ford tesla bmw jeep sedan pickup 汽车 电动车 摩托 自行车 特斯拉 丰田 本田 比亚迪",
  },
  {
    question: "movie movies film films watched watch seen show shows series 电影 电视剧 剧 片子",
    statement: `movie film watched trilogy series episode documentary thriller comedy drama cinema theater netflix anime
      电影 电视剧 纪录片 动画 影院 喜剧 悬疑`,
  },
  {
    question: "book books novel novels read author authors 书 小说 作者",
    statement:
      "book novel reading trilogy series author chapter poetry memoir fantasy mystery biography 小说 作者 散文 诗 传记 读完",
  },
  {
    question: "item items bought buy purchase purchased purchases shopping 买 东西 购物",
    statement: `bought purchased got new shoes dress jacket necklace ring watch phone laptop camera bag sneakers figurines console headphones
      买 新 鞋 衣服 手机 电脑 相机 包 耳机 沙发 项链`,
  },
  {
    question: "art artwork artworks craft crafts painted created create made 艺术 作品 手工",
    statement:
      "painting painted drawing sketch sculpture pottery bowl clay mural sunset portrait canvas stained glass quilt 画 油画 水彩 素描 雕塑 陶 书法 剪纸",
  },
  {
    question:
      "charity charities cause causes volunteer volunteering volunteered community donate donated help helped support supported 公益 志愿 慈善",
    statement: `charity shelter homeless veterans donated donation fundraiser food drive animal hospital orphanage mentor mentoring youth tutoring cleanup
      education infrastructure awareness campaign abuse
      志愿者 捐款 义工 养老院 孤儿院 流浪 支教 献血`,
  },
  {
    question: "goal goals plan plans planning dream dreams future want wants 目标 计划 打算 梦想",
    statement:
      "plan planning goal dream hope hoping saving apply applying start starting learn open launch 计划 打算 目标 梦想 想要 准备 存钱",
  },
  {
    question:
      "struggle struggles challenge challenges setback setbacks problem problems difficulty difficulties 困难 挑战 问题 挫折",
    statement:
      "struggle struggling tough hard difficult setback rejected rejection failed lost stress stressful overwhelmed injury accident 困难 失败 压力 被拒 丢 崩溃 难过",
  },
  {
    question:
      "money cost costs price prices spent spend pay paid expense expenses budget 钱 花 多少钱 费用 价格 预算",
    statement:
      "dollars euros pounds bucks price cost paid refund fee rent deposit salary invoice discount 元 块 万 费 租金 押金 报销 退款 打折",
  },
];

/** Terms that tell of each kind, by the terms that ask for it. */
const MEMBERS = new Map<string, ReadonlySet<string>>();
for (const { question, statement } of KINDS) {
  const members = termsIn(statement);
  for (const kind of termsIn(question))
    MEMBERS.set(kind, new Set([...(MEMBERS.get(kind) ?? []), ...members]));
}

function termsIn(words: string): string[] {
  return words.split(/\s+/).flatMap((word) => (word === "" ? [] : wordTerms(word)));
}

const NONE: ReadonlySet<string> = new Set();

/** Terms that tell of the kind that a term asks for; none where it asks for no kind. */
export function membersOfKind(term: string): ReadonlySet<string> {
  return MEMBERS.get(term) ?? NONE;
}
