/** Text from outside as a terminal or a prompt may have it: without what drives a terminal, and what nobody sees. Pure. */

/** Tabs, line ends, and joiners of emoji and scripts stay. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

export function shown(text: string): string {
  return text.replace(UNSEEN, "");
}

/** The same text in JSON: a reader of it gets all that was there, and a terminal nothing it obeys. */
export function shownInJson(json: string): string {
  return json.replace(UNSEEN, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
