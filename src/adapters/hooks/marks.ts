/** What memd told an agent is marked, so that it is known again and never taken for what somebody said. Pure. */
const BEGIN = "<memd-memory>";
const END = "</memd-memory>";

/** No more than `mostChars`; empty where there is nothing to tell. */
export function marked(briefing: string): string {
  // Nothing that was remembered ends the mark.
  const inside = briefing.replaceAll(BEGIN, "").replaceAll(END, "").trim();
  return inside === "" ? "" : `${BEGIN}\n${inside}\n${END}`;
}

export const MARK_CHARS = BEGIN.length + END.length + 2;

/** What stands between marks goes; one that nothing ends was typed. */
export function withoutBriefings(text: string): string {
  let kept = "";
  let from = 0;
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, from)) {
    const end = text.indexOf(END, at);
    if (end === -1) break;
    kept += text.slice(from, at);
    from = end + END.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}
