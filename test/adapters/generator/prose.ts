/**
 * What is said. Nearly every text holds a word that occurs nowhere else, at its beginning and, when it is
 * long, in each part, so that loss, doubling and cutting can be seen. No text begins or ends with white space.
 */
import { hashOf, type Random } from "./random.js";

const CONSONANTS = "bdfghklmnprstvwz";
const VOWELS = "aeiou";
const NOUNS =
  "ferry,timetable,harbour,invoice,migration,branch,parser,kitchen,ticket,river,backup,schema,garden,lamp,queue,bridge,letter,cache,window,passport".split(
    ",",
  );
const VERBS = "move,check,rename,explain,book,undo,compare,print,test,shorten,translate,sort,keep,drop".split(
  ",",
);
const CHINESE = [
  "请把渡轮的时间改到九点",
  "下周去上海之前记得买票",
  "这个函数为什么这么慢",
  "把数据库备份到另一台机器",
  "她不喜欢吃香菜",
  "会议改到周三下午三点半",
  "先不要合并这个分支",
  "发票抬头写公司的全称",
  "帮我看看日志里有没有错误",
  "测试都通过了，可以发布",
];
const EMOJI = ["🙂", "🚢", "👩‍👩‍👧", "🇨🇳", "👍🏽", "❤️‍🔥", "🧪"];
/** None of them is what a format uses to mark a text that no one typed. */
const ODD_BEGINNINGS = [
  '{"role":"user","content":"no"} ',
  "- ",
  "# ",
  "> ",
  "---\n",
  "```\ncode first\n```\n",
  "/tmp/is/full ",
  "<b>bold</b> ",
  "[x] ",
  "[[Link]] ",
  "@lin ",
  "!important ",
  "~/notes ",
  "| a | b |\n",
  "\u200b",
  "\u202e",
  "👩‍👩‍👧 ",
  "，",
  "“",
  "null ",
  "$set ",
  "\\n\\u0041 ",
  "e\u0301te\u0301 ",
  "\u0007",
  "0x1F ",
  "user: ",
  "data: ",
  "%%hidden%% ",
  "=1+1 ",
  "�",
];
export const SHORT_AND_REPEATED = ["continue", "continue", "ok", "继续", "yes"] as const;

export class Prose {
  readonly counts: Record<string, number> = {};
  readonly #random: Random;
  readonly #offset: number;
  readonly #block: string;
  #words = 0;

  constructor(random: Random, label: string) {
    this.#random = random;
    this.#offset = hashOf(label);
    this.#block = outputBlock(random);
  }

  /** Ten letters that are given out once. */
  word(): string {
    let number = (Math.imul(++this.#words, 0x9e3779b1) + this.#offset) & 0x3fffffff;
    let word = "";
    for (let syllable = 0; syllable < 5; syllable++) {
      const digit = number % 80;
      word += `${CONSONANTS[Math.floor(digit / 5)] ?? ""}${VOWELS[digit % 5] ?? ""}`;
      number = Math.floor(number / 80);
    }
    return word;
  }

  human(): string {
    const dice = this.#random.next();
    if (dice < 0.36) return this.#sentence();
    if (dice < 0.6) return this.#chinese();
    if (dice < 0.74) return `${this.#sentence()}\n\n${this.#chinese()}\n"${this.word()}" or 'that'?`;
    if (dice < 0.8) return `${this.#sentence()}\n${this.#code()}`;
    if (dice < 0.9) return this.#odd();
    if (dice < 0.96) return `${this.#sentence()} ${this.#random.pick(EMOJI)}`;
    return this.#long(
      dice < 0.993 ? this.#random.between(2_000, 6_000) : this.#random.between(30_000, 70_000),
    );
  }

  agent(): string {
    const dice = this.#random.next();
    if (dice < 0.3) return `${this.#sentence()} Done: ${this.#random.pick(NOUNS)}.`;
    if (dice < 0.5) return `好的。${this.#chinese()}`;
    if (dice < 0.7)
      return `## ${this.word()}\n\n- ${this.#sentence()}\n- ${this.#chinese()}\n\n| a | b |\n|---|---|\n| 1 | "2" |`;
    if (dice < 0.82) return `${this.#sentence()}\n\n${this.#code()}\n\n${this.#sentence()}`;
    if (dice < 0.88) return this.#odd();
    if (dice < 0.95) return `${this.#random.pick(EMOJI)} ${this.#sentence()}\n${this.#chinese()}`;
    return this.#long(
      dice < 0.99 ? this.#random.between(2_000, 8_000) : this.#random.between(30_000, 80_000),
    );
  }

  /** Text of about so many characters, with a word of its own in each part. */
  essay(length: number): string {
    const parts: string[] = [];
    for (let done = 0; done < length;) {
      const part = `${this.word()} ${this.output(Math.min(length - done, this.#random.between(300, 3_000))).trim()}.`;
      parts.push(part);
      done += part.length;
    }
    return parts.length === 0 ? this.#sentence() : parts.join("\n\n");
  }

  /** What a tool prints: logs, differences, lines that look like a transcript's, Chinese, colours, long runs. */
  output(length: number): string {
    let start = this.#random.between(0, this.#block.length - 1);
    const pieces: string[] = [];
    for (let left = Math.floor(length); left > 0; start = 0) {
      const piece = this.#block.slice(start, start + left);
      pieces.push(piece);
      left -= piece.length;
    }
    return pieces.join("");
  }

  #sentence(): string {
    const noun = this.#random.pick(NOUNS);
    const other = this.#random.pick(NOUNS);
    const verb = this.#random.pick(VERBS);
    const pattern = this.#random.between(0, 3);
    if (pattern === 0) return `Please ${verb} the ${noun} ${this.word()}, then the ${other}.`;
    if (pattern === 1) return `Why does ${this.word()} ${verb} the "${noun}" and not the ${other}?`;
    if (pattern === 2) return `It's the ${noun}: ${this.word()} — ${verb} it before the ${other} at 100%`;
    return `${this.word()} can ${verb} C:\\${noun}\\${other} & <${noun}>; don't ask`;
  }

  #chinese(): string {
    const one = this.#random.pick(CHINESE);
    return this.#random.chance(0.5) ? `${one}，代号 ${this.word()}。` : `「${this.word()}」：${one}？`;
  }

  #code(): string {
    const word = this.word();
    return `\`\`\`ts\nconst ${word} = "${this.#random.pick(NOUNS)}\\n";\n\tif (!${word}) throw new Error(\`\${${word}}\`);\n\`\`\``;
  }

  #odd(): string {
    this.#count("texts that begin oddly");
    return `${this.#random.pick(ODD_BEGINNINGS)}${this.#sentence()}`;
  }

  #long(length: number): string {
    this.#count(length >= 30_000 ? "texts over 30,000 characters" : "texts of 2,000 to 8,000 characters");
    return this.essay(length);
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function outputBlock(random: Random): string {
  const lines: string[] = [];
  for (let length = 0; length < 65_536;) {
    const line = outputLine(random);
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n");
}

function outputLine(random: Random): string {
  const noun = random.pick(NOUNS);
  switch (random.between(0, 8)) {
    case 0:
      return `{"type":"user","role":"user","message":{"role":"user","content":"printed ${noun}"},"uuid":"${random.hex(8)}"}`;
    case 1:
      return `\u001b[3${random.between(1, 7)}m${noun}\u001b[0m ok ${random.between(1, 999)} ms`;
    case 2:
      return "=".repeat(random.between(40, 700));
    case 3:
      return `+ ${random.pick(CHINESE)}\r`;
    case 4:
      return `- const ${noun} = "${random.hex(12)}";\t// ${random.pick(VERBS)}`;
    case 5:
      return random.hex(76);
    default:
      return `2026-05-0${random.between(1, 9)}T10:00:00Z INFO ${noun} ${random.pick(VERBS)} ${random.hex(6)} done`;
  }
}
