/**
 * Word forms brought to one stem: Porter for English after a table of
 * irregular and short forms, and the endings of Russian, cut lightly.
 *
 * Pure as seen from outside; the memory of stems only saves time.
 */
import { stemmer } from "stemmer";

/** Stems kept; conversations rarely have more words than that. */
const REMEMBERED = 50_000;
const remembered = new Map<string, string>();

/** `word` folded and in lower case. */
export function stem(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const found = stemAfresh(word);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(word, found);
  return found;
}

const ENGLISH = /^[a-z]+$/;
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
/** Case and gender endings, the longest first; at least three letters stay. */
const RUSSIAN_ENDING =
  /(?<=^.{3,})(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ать|ить|еть|ала|ила|али|или|ах|ях|ов|ев|ой|ей|ый|ий|ая|яя|ое|ее|ом|ем|ам|ям|ую|юю|ал|ил|ы|и|а|я|о|е|у|ю|ь|й)$/u;

function stemAfresh(word: string): string {
  // Porter leaves "deployment" at "deploy" and makes "deploi" of "deploys": one spelling for both.
  if (ENGLISH.test(word)) return stemmer(IRREGULAR.get(word) ?? word).replace(/(?<=..)y$/, "i");
  if (CYRILLIC.test(word)) return word.replace(RUSSIAN_ENDING, "");
  return word;
}

/** `base: forms` of common verbs, nouns and adjectives that Porter cannot reach. */
const IRREGULAR_FORMS = `
arise:arose arisen|awake:awoke awoken|bear:bore borne|beat:beaten|become:became|begin:began begun|bend:bent|bite:bitten|
blow:blew blown|break:broke broken|bring:brought|build:built|burn:burnt|buy:bought|catch:caught|choose:chose chosen|
come:came|creep:crept|deal:dealt|dig:dug|draw:drew drawn|dream:dreamt|drink:drank drunk|drive:drove driven|eat:ate eaten|
fall:fell fallen|feed:fed|feel:felt|fight:fought|find:found|fly:flew flown|forbid:forbade forbidden|
forget:forgot forgotten|forgive:forgave forgiven|freeze:froze frozen|get:got gotten|give:gave given|go:goes went gone|
grow:grew grown|hang:hung|hear:heard|hide:hid hidden|hold:held|keep:kept|kneel:knelt|know:knew known|lay:laid|lead:led|
lean:leant|learn:learnt|leave:left|lend:lent|lie:lain|light:lit|lose:lost|make:made|mean:meant|meet:met|pay:paid|
plead:pled|prove:proven|ride:rode ridden|ring:rang rung|rise:risen|run:ran|say:said|see:saw seen|seek:sought|
sell:sold|send:sent|sew:sewn|shake:shook shaken|shine:shone|shoot:shot|show:shown|shrink:shrank shrunk|sing:sang sung|
sink:sank sunk|sit:sat|sleep:slept|slide:slid|speak:spoke spoken|speed:sped|spell:spelt|spend:spent|spill:spilt|
spin:spun|spring:sprang sprung|stand:stood|steal:stole stolen|stick:stuck|sting:stung|strike:struck|strive:strove|
swear:swore sworn|sweep:swept|swell:swollen|swim:swam swum|swing:swung|take:took taken|teach:taught|tear:tore torn|
tell:told|think:thought|throw:threw thrown|understand:understood|wake:woke woken|wear:wore worn|weave:wove woven|
weep:wept|win:won|write:wrote written|withdraw:withdrew withdrawn|
person:people|man:men|woman:women|foot:feet|tooth:teeth|goose:geese|mouse:mice|wife:wives|
knife:knives|shelf:shelves|half:halves|wolf:wolves|loaf:loaves|thief:thieves|analysis:analyses|
crisis:crises|criterion:criteria|datum:data|index:indices|matrix:matrices|far:farther|memory:memories|
die:dying|tie:tying|lie:lying`;

/** `word: the same word, shorter or as it is spelled elsewhere`. */
const SHORT_FORMS = `
child:children kid kids|mother:mom moms mum mums mommy mummy|father:dad dads daddy|grandmother:grandma grandmas granny|
grandfather:grandpa grandpas|photo:photos photograph photographs pic pics|bicycle:bike bikes|television:tv tvs|
refrigerator:fridge fridges|telephone:phone phones|mathematics:math maths|vegetable:veggie veggies|laboratory:lab labs|
airplane:plane planes aeroplane aeroplanes|advertisement:ad ads advert adverts|information:info|favorite:favourite favourites fave|
color:colour colours|center:centre centres|theater:theatre theatres|neighbor:neighbour neighbours|flavor:flavour flavours|
traveler:traveller travellers|jewelry:jewellery|gray:grey|pajamas:pyjamas|okay:ok`;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `${IRREGULAR_FORMS}|${SHORT_FORMS}`.split("|").flatMap((entry) => {
    const [base = "", forms = ""] = entry.trim().split(":");
    return forms.split(" ").map((form): [string, string] => [form, base]);
  }),
);
