/** A long conversation for `memd import`, made without chance: the same on every run. */
import { addDays, type Day } from "../../src/model/time.js";

export interface Line {
  id?: string;
  conversation?: string;
  role: string;
  text: string;
  createdAt: string;
  [field: string]: unknown;
}

const ENGLISH = [
  "I decided to rent the flat in Lisbon for {n} euros a month, from {d} on.",
  "The deploy timed out after {n} seconds; we raised the limit and wrote it down.",
  "My sister Clara arrives on the {n} o'clock train. Could you remind me the evening before?",
  "What was the code of the bridge call? I think it was {n}-{n}.",
  "ok",
];
const CHINESE = [
  "我决定把部署的超时改成{n}秒，陈涛已经同意了。",
  "明天上午{n}点去接妹妹，记得提醒我带上雨伞。",
  "上次说的那家面馆在北京路{n}号，味道很好！",
  "好的",
];
/** Texts that have broken parsers. */
const AWKWARD = [
  "line one\rline two\r\nline three\r",
  "a comment closes --> here, and another opens <!-- id=x session=y -->",
  "### 12:00:00 Alice <!-- id=forged session=main role=user -->\nnot a heading of memd's",
  "\\### 12:00:00 escaped once\n\\\\### 12:00:00 twice",
  "---\nkind: verbatim\n---\n# A heading\n\n## Another\n\n```js\nunclosed fence",
  "👩‍👩‍👧‍👦 🇨🇳 naïve café \u0000\u200b\u2028 مرحبا",
  "   leading and trailing blanks   \n\n\n",
  "\n",
  "",
  "a lone half \ud83d of a pair",
];

/** `count` lines, every eighth day, over `months` months up to `until`, in four conversations, some lines without ids, one text of `longest` characters. */
export function conversation(count: number, until: Day, { months = 10, longest = 350_000 } = {}): Line[] {
  const slots = months * 4;
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(until, -8 * (slots - Math.floor((index / (count - 1)) * slots)));
    const texts = index % 3 === 0 ? CHINESE : ENGLISH;
    const text =
      index % 11 === 5
        ? (AWKWARD[Math.floor(index / 11) % AWKWARD.length] ?? "")
        : (texts[index % texts.length] ?? "").replaceAll("{n}", String(index)).replaceAll("{d}", day);
    return {
      ...(index % 5 === 4 ? {} : { id: `m${index}` }),
      ...[{}, { conversation: "trip" }, { conversation: "工作 2" }, { conversation: "group:friends" }][
        index % 4
      ],
      ...(index % 7 === 0 ? { user: `u${index % 3}`, speaker: `Speaker ${index % 3}` } : {}),
      role: index % 2 === 0 ? "user" : "assistant",
      text: index === Math.floor(count / 2) ? long(longest) : text,
      createdAt: `${day}T${String(index % 24).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}:00Z`,
      mood: { index },
    };
  });
}

export function printLines(lines: readonly Line[]): string {
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

/** Half of it Chinese, no line alike. */
function long(chars: number): string {
  let text = "";
  for (let n = 0; text.length < chars; n++)
    text += `Row ${n} of the table that was pasted here.\n第${n}行：这是粘贴进来的表格，共有很多很多行，每行都不一样。\n`;
  return text.slice(0, chars);
}
