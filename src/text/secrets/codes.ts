/**
 * Codes that somebody made up for one use: on a gift card, for a licence, a coupon,
 * an examination, a way back into an account.
 *
 * Pure. In capitals with a digit, alone or in groups; near a word for what is got
 * for them, and not where an order, a part or a flight is numbered.
 */
import { EVERYDAY } from "./told.js";
import type { Named } from "./named.js";

const GOT =
  /gift[ _-]?cards?|e-?gift|voucher|coupon|promo(?:tion(?:al)?)? ?code|discount code|(?:access|quiz|exam|download|redeem|redemption|recovery|backup|activation|registration|invite|invitation|referral|unlock|revocation|rescue|claim|reward|top-?up|scratch|one-time|booking|class|join|entry|enrol\w{0,5}|link|pairing|device|setup|gift|reset) (?:code|key|pin|card)|serial|licen[cs]e|product key|cd[ -]?key|e-?shop|(?:app|play) store|itunes|\bsteam|\bredeem|prepaid|序[号號列]|卡密|[优優]惠[码碼券]|折扣[码碼]|折[价價]券|[礼禮][品物券]|[点點][数數]卡|[点點]卡|[储儲]值|充值|[兑兌][换換]|存取[码碼]|[启啟][动動用][码碼]|恢[复復]代?[码碼]|[备備][用份][码碼]|激活|[开開]通[码碼]|授[权權][码碼]|邀[请請][码碼]|[访訪][问問][码碼]|通行[码碼]|注[册冊][码碼]|[产產]品[密金][钥鑰]|刮[开開]|[门門]禁|提[货貨]|核[销銷]/i;
/** Three groups, or one run, with letters and digits. */
const GROUPS =
  /(?=[A-Z\d])(?<![\w/.&-]|[?&]\w{1,20}=)(?=[A-Z-]{0,24}\d)(?=[\d-]{0,24}[A-Z])[A-Z\d]{2,8}(?:-[A-Z\d]{2,10}){1,6}(?![\w/-]|\.\w)/g;
const RUN =
  /(?=[A-Z\d])(?<![\w/.&-]|[?&]\w{1,20}=)(?=[A-Z]{0,20}\d)(?=\d{0,20}[A-Z])[A-Z\d]{8,25}(?![\w/-]|\.\w)/g;
const SPELLED = /(?=[A-Z\d])(?<![\w/.-])[A-Z\d](?:[- .][A-Z\d]){4,15}(?![\w/-])/g;
/** Groups in capitals alone, a run or two groups: only right behind the word. */
const TIGHT =
  /(?:codes?|key|card|coupon|voucher|serial|pin|recovery|[码碼密券卡号號]|[是为為]|is|it['’]?s|reads?|:|=|「|["'“(,，：、])[ :]{0,2}["'“「(]?$/i;
const OF_OTHERS =
  /(?:order|invoice|ticket|flight|part|model|sku|isbn|ref(?:erence)?|issue|jira|case|track\w{0,5}|booking|[订訂][单單][号號]?|型[号號]|款[号號]|航班|[单單][号號]|[发發]票)(?: (?:no\.?|number|id|#))?[ :#]{0,2}$/i;
/** Two that follow each other. */
const MAY_HOLD = /[A-Z\d]{2}-[A-Z\d]{2}|[A-Z]\d[A-Z\d]{3}|\d[A-Z]{2}|[A-Z\d][- .][A-Z\d][- .][A-Z\d]/;
const BEFORE_CHARS = 130;
const BEHIND_CHARS = 60;

export function codesIn(text: string): Named[] {
  if (!MAY_HOLD.test(text)) return [];
  return [GROUPS, RUN, SPELLED].flatMap((shape) =>
    [...text.matchAll(shape)]
      .filter(({ index, 0: code }) => {
        const before = text.slice(Math.max(0, index - BEFORE_CHARS), index);
        if (EVERYDAY.test(code) || /^[A-Z]+-?\d{1,2}$/.test(code) || OF_OTHERS.test(before)) return false;
        if (shape === GROUPS && code.replaceAll("-", "").length < 7) return false;
        const isManifold = shape === SPELLED || code.split("-").length >= 3 || TIGHT.test(before);
        return isManifold && (GOT.test(before) || GOT.test(behindOf(text, index + code.length)));
      })
      .map(({ index, 0: code }): Named => ({ from: index, to: index + code.length, kind: "code" })),
  );
}

function behindOf(text: string, at: number): string {
  return text.slice(at, at + BEHIND_CHARS);
}
