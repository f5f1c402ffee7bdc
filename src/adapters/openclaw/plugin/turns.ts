/**
 * What was said in the turn that has ended. The host hands over the whole conversation at every end, what was kept
 * of it after a compaction, and after a fork that of another one: told is what came after all that was there
 * before. Each message is as the transcript will have it, so that an import finds it told already.
 */
import { isFields, listOf, timeOf, wordsOf } from "../../fields.js";
import { withoutBriefings } from "../../hooks/marks.js";
import { withoutSilent } from "../../pi/session.js";
import { Skipped } from "../../told.js";

export interface Said {
  role: "user" | "agent";
  text: string;
  /** Epoch ms; undefined where the host tells none. */
  atMs: number | undefined;
}

export class Turns {
  /** By session: when the last message was said that is known or told. */
  readonly #upTo = new Map<string, number>();

  /**
   * A turn begins: how many messages stand before the agent. What failed turns said is told with the next one that
   * ends well.
   */
  began(session: string, before: unknown): number {
    const said = saidIn(before);
    if (!this.#upTo.has(session)) this.#upTo.set(session, newestOf(said));
    return withoutSilent(said, new Skipped()).length;
  }

  /** What was said since then; `takeBack` where it could not be kept. */
  ended(session: string, messages: unknown): { said: Said[]; takeBack: () => void } {
    const all = saidIn(messages);
    const upTo = this.#upTo.get(session);
    const fresh =
      upTo === undefined || all.some(({ atMs }) => atMs === undefined)
        ? all.slice(all.findLastIndex(({ role }) => role === "user"))
        : all.filter(({ atMs = 0 }) => atMs > upTo);
    this.#upTo.set(session, Math.max(upTo ?? 0, newestOf(all)));
    const said = withoutSilent(fresh, new Skipped())
      .map((one) => ({ ...one, text: withoutBriefings(one.text).trim() }))
      .filter(({ text }) => text !== "");
    return { said, takeBack: () => void (upTo === undefined || this.#upTo.set(session, upTo)) };
  }
}

function newestOf(said: readonly Said[]): number {
  return said.reduce((newest, { atMs = 0 }) => Math.max(newest, atMs), 0);
}

function saidIn(messages: unknown): Said[] {
  return listOf(messages).flatMap((message): Said[] => {
    if (!isFields(message)) return [];
    const { role, content, timestamp } = message;
    if (role !== "user" && role !== "assistant") return [];
    const text = wordsOf(content).trim();
    if (text === "") return [];
    const at = timeOf(timestamp);
    const atMs = at === undefined ? undefined : Date.parse(at);
    return [{ role: role === "user" ? "user" : "agent", text, atMs }];
  });
}
