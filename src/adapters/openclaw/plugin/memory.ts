/**
 * A workspace as memd's plugin reaches it from inside OpenClaw: what was said goes into durable files, whether memd
 * runs or not, and whoever owns the workspace is asked over its socket, with a deadline. Starts no process.
 */
import { MARK_CHARS, marked, withoutBriefings } from "../../hooks/marks.js";
import { toldBy } from "../../hooks/tell.js";
import { isKeptOut } from "../../live/kept-out.js";
import { MOST_BRIEFED_CHARS } from "../../../model/briefing.js";
import { messageOf } from "../../../model/errors.js";
import { epochMs } from "../../../model/time.js";
import type { ScopeId } from "../../../model/address.js";
import { type Clock, systemClock } from "../../../platform/clock.js";
import { ask } from "../../../platform/http.js";
import { nodeDisk, ownerless } from "../../../platform/node-disk.js";
import { environment } from "../../../platform/process.js";
import { ownerSocket } from "../../../protocol/owner-note.js";
import { writeDrop } from "../../../protocol/read-list.js";
import { FILES, type Workspace } from "../../../protocol/workspace.js";
import { openWorkspaceAt } from "../../../protocol/workspace-file.js";
import { type Fields, fieldsOf, stringOf } from "../../fields.js";
import type { Seat } from "./seat.js";
import type { Said } from "./turns.js";

/** With what else a hook or a tool does it stays below 0.8 s. */
const ANSWER_MS = 600;

/** What memd answers where it will not do what it was asked. */
export class Refused extends Error {}

export class Memory {
  #workspace: Workspace | undefined;

  constructor(
    readonly folder: string,
    readonly clock: Clock = systemClock(),
  ) {}

  /** Whether the owner keeps this conversation out. */
  async isKeptOut({ folder, session }: Seat): Promise<boolean> {
    const { HOME: home, MEMD_HOOKS: hooks } = environment();
    if (hooks === "off") return true;
    return isKeptOut(nodeDisk, await this.workspace(), { places: [folder], session }, home);
  }

  /** Durable when it returns. */
  async tell({ scope, session }: Seat, said: readonly Said[]): Promise<void> {
    const workspace = await this.workspace();
    for (const { role, text, atMs } of said) {
      const now = this.clock.now();
      const is = role === "user" ? "asked" : "answered";
      const at = atMs === undefined ? now : epochMs(atMs);
      const told = toldBy("openclaw", { is, text, session }, scope as ScopeId, at);
      if (told !== undefined) await writeDrop(ownerless, workspace, told, now, FILES.told);
    }
  }

  /**
   * What the memory holds for what was typed, at the beginning of a conversation with what is always known; marked.
   * `shown`: so many of its messages stand before the agent. A key stays when its conversation begins anew.
   */
  async briefing(seat: Seat, asked: string, shown: number): Promise<string> {
    const isFirst = shown === 0;
    const most = Math.floor((MOST_BRIEFED_CHARS - MARK_CHARS) / (isFirst ? 2 : 1)) - 1;
    const room = { as: seatOf(seat), max_chars: most, shown };
    const text = withoutBriefings(asked).trim();
    const questions = [...(isFirst ? [room] : []), ...(text === "" ? [] : [{ ...room, asked: text }])];
    const answers = await Promise.all(questions.map((one) => this.ask("briefing", one)));
    return marked(answers.flatMap((answer) => stringOf(answer["text"]) ?? []).join("\n\n"));
  }

  /** Throws `Refused`, that memd does not run, or that it is late. */
  async ask(operation: string, asked: object, withinMs = ANSWER_MS): Promise<Fields> {
    const abort = new AbortController();
    const late = new Promise<never>((_done, fail) => {
      const timer = this.clock.after(withinMs, () => {
        fail(new Error(`memd has not answered within ${withinMs} ms`));
        abort.abort();
      });
      abort.signal.addEventListener("abort", () => timer.cancel());
    });
    const answered = (async () => {
      const socket = await ownerSocket(await this.workspace());
      return ask(socket, "POST", `/operations/${operation}`, asked, abort.signal);
    })();
    try {
      const { status, body } = await Promise.race([answered, late]);
      const fields = fieldsOf(body);
      if (status < 400) return fields;
      throw new Refused(stringOf(fieldsOf(fields["error"])["message"]) ?? "memd gave no answer");
    } finally {
      // Whichever is not waited for any more fails unheard.
      answered.catch(messageOf);
      late.catch(messageOf);
      abort.abort();
    }
  }

  /** Throws where it is none. */
  async workspace(): Promise<Workspace> {
    return (this.#workspace ??= await openWorkspaceAt(nodeDisk, this.folder));
  }
}

export function seatOf({ user, scope, session }: Seat): { user: string; scope: string; session: string } {
  return { user, scope, session };
}
