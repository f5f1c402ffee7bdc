/**
 * Secrets that are words with blanks between them: a wallet's, a passphrase, what is
 * said on the phone or at a door, four groups of letters that a provider made up.
 *
 * Pure. Such words look like any sentence, so they count only behind their name, to
 * the end of a clause, and without a word that a sentence about passwords has.
 */
import { matchAt, type Named } from "./named.js";

type Phrase = Pick<Named, "from" | "to"> & { kind: string };

const MNEMONIC =
  /seed|recovery|mnemonic|backup|secret|words|[助註注単单單][记記词詞字]|短[语語]|[种種]子|钱包|錢包|wallet|key|accounts|signer|hardhat|solana|私[钥鑰]/gi;
/** Words of the list that wallets use have three to eight letters; of these at most one is among so few. */
const OF_SENTENCES =
  /\b(?:the|and|for|not|was|are|has|had|but|you|your|with|that|this|they|from|have|any|can|will|what|when|more|about|into)\b/g;
const WALLET_WORDS =
  /(?<![a-z])[a-z]{3,8}([ ,\n]{1,2})[a-z]{3,8}(?:\1[a-z]{3,8}){10,22}(?![a-z]|\1[a-z])|(?<!\d)1[.):] {0,2}[a-z]{3,8}(?:[\s,]{1,3}\d{1,2}[.):] {0,2}[a-z]{3,8}){11,23}/g;
/** Alone on their line they need no name. */
const WALLET_LINE = /^[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4}$/gm;
const WALLET_HAN =
  /(?<!\p{Script=Han}[ ,、]{1,2})(?:\p{Script=Han}[ ,、]{1,2}){11,23}\p{Script=Han}(?!\p{Script=Han})/gu;
const WALLET_NAME =
  /[助註注][記记][词詞]|短[语語]|[种種]子|mnemonic|seed|钱包|wallet|words|单[词字]|單[詞字]|錢包|solana|key|[钥鑰]|recovery|backup|secret|phrase/i;
const BYTES_KEY = /(?<=\[ {0,2})(?:\d{1,3}, {0,2}){31,63}\d{1,3}(?= {0,2}\])/g;
const HEX_KEY =
  /\b(?:0x)?[0-9a-f]{64}\b(?<=(?:private_?key|private key|accounts|signer|hardhat|wallet|私[钥鑰]|钱包)[^\n]{64,126})/gi;

/** A name of what is said in words, and what leads to them. */
const LED =
  /(?:pass ?phrase|(?:master|main|voice|phone|banking|vault) password|(?:code|safe|magic|secret|challenge|family) ?words?|主密[码碼]|口令(?:短[语語])?|密[码碼]短[语語]|暗[号號语語](?:密[码碼])?)[^\n:=。]{0,40}?(?:\b(?:is|was|are|be|says?|type|enter|say|whisper|answer|now)\b:?|['’]s|[:=]|[是为為叫成填设設念说說报報輸输][入了]?(?:[^\n:,，。a-z]{0,10}:)?|(?=["“「(]))\s{0,2}["'“「`*(]{0,2}/giu;
/** The name itself, and nothing but a sign behind it. */
const SIGNED =
  /(?:pass(?:word|wd|code)?(?: (?:for|to|of|on) [^\n:=]{1,40})?|密[码碼])["'`*]{0,2} ?(?:[:=是为]|\bis\b(?: now)?)\s{0,2}["'“「`]?/giu;
const WORDS = /[A-Za-z][A-Za-z'’]{0,14}(?:\.? [A-Za-z0-9'’]{1,14}){1,9}[!?]?/y;
const HAN_WORDS = /\p{Script=Han}{1,4}(?: \p{Script=Han}{1,4}){2,9}/uy;
const PHRASE_ENDS = /["”」]|["'”」`*]{0,2}(?:\s?(?:$|[\n,;.!)|，。；！）」、—–（就即再]|- )| \()/y;
const TALK =
  /^(?:long|short|strong|weak|wrong|correct|right|plain|secure|safe)\b(?=(?: \S+){0,2}$)|^(?:in|on|at|under|behind|inside|of|to|with|an?)\b|\b(?:must|least|most|should|shall|will|can|cannot|may|might|characters?|letters?|digits?|numbers?|symbols?|same|different|pass\w*|words?|phrase|code|keys?|login|accounts?|users?|user\w*|emails?|admin|your?|please|if|when|because|us(?:e|ed|es|ing)|enter|type|try|reset|changed?|choose|pick|create|set|stored?|kept|saved?|written|known|required|needed|optional|invalid|incorrect|expired|missing|forgotten|empty|blank|default|case|not|no|yes|too|very|really|quite|only|also|just|still|already|now|which|what|how|why|something|nothing|hash\w*|encrypt\w*|text|hidden|protect\w*|than|is|are|was|were|be|been|being|have|has|for|or|from|by|via|as|so|it|they|we|i|he|she|do|does|don['’]t|did|get|make|ask|check|add|data|file|server|database|policy|manager|error|failed|https?|none|null|example|here|there|below|above)\b|[请您你我不必须]|输入|密码|至少/i;

export function phrasesIn(text: string): Phrase[] {
  return [
    ...walletsIn(text),
    ...[...text.matchAll(LED)].flatMap((led) => phraseBehind(text, led.index + led[0].length, true)),
    ...[...text.matchAll(SIGNED)].flatMap((led) => phraseBehind(text, led.index + led[0].length, false)),
    ...groupsIn(text),
  ];
}

function phraseBehind(text: string, at: number, isOfWords: boolean): Phrase[] {
  const words = matchAt(WORDS, text, at) ?? matchAt(HAN_WORDS, text, at);
  if (words === undefined || matchAt(PHRASE_ENDS, text, at + words.length) === undefined) return [];
  const many = words.split(" ").length;
  const isNames = /^[A-Z]\S*(?: [A-Z]\S*){1,3}$/.test(words);
  const isInHan = /\p{Script=Han}[^\n]{0,6}$/u.test(text.slice(Math.max(0, at - 8), at));
  const isSign = /[:="'“「`*(]\s*$/.test(text.slice(Math.max(0, at - 3), at));
  const least = isInHan && isOfWords ? 2 : isOfWords ? (isSign ? 2 : 3) : isInHan ? 3 : 4;
  if (TALK.test(words) || !(many >= least || (isNames && (isOfWords || isInHan)))) return [];
  return [{ from: at, to: at + words.length, kind: "password" }];
}

export function walletLinesIn(text: string): Phrase[] {
  return [...text.matchAll(WALLET_LINE)].filter(isOfWallet).map(ofWallet);
}

function isOfWallet({ 0: words }: RegExpExecArray): boolean {
  return (words.match(OF_SENTENCES)?.length ?? 0) < 2;
}

/** "The twelve words are ribbon marble ...": what leads to them is left out where a dozen are left. */
function withoutLead(found: RegExpExecArray): RegExpExecArray {
  const leads = [
    ...found[0].matchAll(
      /\b(?:the|and|for|are|was|is|with|that|these|phrase|words|wallet|seed|from|your|has)\b/g,
    ),
  ];
  const last = leads.findLast(({ index }) => index < 60);
  if (last === undefined) return found;
  const words = found[0].slice(last.index + last[0].length).trimStart();
  const from = found.index + found[0].length - words.length;
  const isEnough = words.split(/[ ,\n]+/).length >= 12;
  return isEnough ? (Object.assign([words], { index: from, input: found.input }) as RegExpExecArray) : found;
}

function ofWallet({ index, 0: words }: RegExpExecArray): Phrase {
  return { from: index, to: index + words.length, kind: "wallet-key" };
}

function walletsIn(text: string): Phrase[] {
  if (text.search(MNEMONIC) < 0) return [];
  const near = [
    ...[...text.matchAll(WALLET_WORDS)].map(withoutLead),
    ...text.matchAll(WALLET_HAN),
    ...text.matchAll(BYTES_KEY),
  ].filter(
    (found) =>
      isOfWallet(found) &&
      WALLET_NAME.test(text.slice(Math.max(0, found.index - 160), found.index + found[0].length + 60)),
  );
  return [...near, ...text.matchAll(HEX_KEY)].map(ofWallet);
}

/** As providers make them for one program, omvj pjwt sjik wgfa, and seeds of codes: JBQW Y3DP EHPK 3PXR. */
const GROUPS =
  /\b[a-z]{4}([ -])[a-z]{4}\1[a-z]{4}\1[a-z]{4}\b|\b(?=[A-Z -]{0,80}[2-7])[A-Z2-7]{4}([ -])[A-Z2-7]{4}(?:\2[A-Z2-7]{4}){2,14}\b/g;
const GROUPS_NAME =
  /password|passwd|login|authenticator|setup key|secret|2fa|otp|[钥鑰]|smtp|imap|app[- ]specific|密[码碼]|授[权權][码碼]|应用专|應用程式/i;

function groupsIn(text: string): Phrase[] {
  if (!GROUPS_NAME.test(text)) return [];
  return [...text.matchAll(GROUPS)]
    .map(({ index, 0: groups }): Phrase => ({ from: index, to: index + groups.length, kind: "password" }))
    .filter(({ from, to }) => {
      // No word of four letters has three consonants in a row, unless the first is a vowel.
      const isMade = /[A-Z]|(?<!\w)[^aeiouy\W]{3}|(?<!\w)[^aeiouy\W].?[^aeiouy\W]{3}/.test(
        text.slice(from, to),
      );
      return isMade && GROUPS_NAME.test(text.slice(Math.max(0, from - 80), to + 60));
    });
}
