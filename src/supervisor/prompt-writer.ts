/** `teller/prompt.md` and `prompt.json`: written again when what they say changes. */
import { LOCAL_ADDRESS, viewerAt, type Address } from "../model/address.js";
import { LOCAL_USER, MAIN_SCOPE, scopeOf, sessionOf, type FiledMessage } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { ListState } from "../archive/intake-files.js";
import { composePrompt } from "../context/render.js";
import { inConversation, pinnedFor, type Prompt } from "../context/inputs.js";
import { injectionQuery } from "../context/query.js";
import type { Clock } from "../platform/clock.js";
import { publishDerived, readText, type Press } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { DECAY } from "../recall/weights.js";
import { keywordsOf } from "../text/keywords.js";
import type { Search } from "./search.js";

/** More hits than are shown, since those that stand in the history fall away. */
const SPARE_HITS = 15;

interface PromptParts {
  press: Press;
  workspace: Workspace;
  clock: Clock;
  zone: Zone;
  settings: Settings;
  search: Search;
}

export class PromptWriter {
  #written: Prompt | undefined;

  constructor(readonly parts: PromptParts) {}

  get current(): Prompt | undefined {
    return this.#written;
  }

  /** True when the file was written; what is the same stays as it is. */
  async refresh(history: ListState, inbox: ListState): Promise<boolean> {
    const { press, workspace } = this.parts;
    const prompt = await this.#compose(history, inbox);
    const before = this.#written;
    const same =
      before?.markdown === prompt.markdown && before.data.inboxIds.join() === prompt.data.inboxIds.join();
    const stands = (await press.disk.stat(at(workspace, FILES.prompt))) !== undefined;
    if (same && stands) return false;
    await publishDerived(press, at(workspace, FILES.prompt), prompt.markdown);
    // Last: who waits for prompt.json to name an id finds prompt.md in place.
    await publishDerived(press, at(workspace, FILES.promptData), `${JSON.stringify(prompt.data, null, 2)}\n`);
    this.#written = prompt;
    return true;
  }

  async #compose(history: ListState, inbox: ListState): Promise<Prompt> {
    const { press, workspace, clock, zone, settings, search } = this.parts;
    const said = history.messages.map(({ filed }) => filed);
    const waiting = inbox.messages.map(({ filed }) => filed);
    const viewer = viewerOf(waiting, said);
    const mine = (filed: FiledMessage): boolean => inConversation(viewer, filed);
    const query = injectionQuery(waiting.filter(mine), said.filter(mine), keywordsOf);
    const options = {
      limit: settings.context.memory_hits + SPARE_HITS,
      halfLifeDays: DECAY.injectionHalfLifeDays,
      // The prompt has a deadline: no endpoint may hold it up.
      mode: "keyword" as const,
      rerank: false,
    };
    const hits = query === "" ? [] : (await search.find(query, viewerAt(viewer), options)).hits;
    const text = async (file: string): Promise<string | undefined> =>
      readText(press.disk, at(workspace, file)).catch(() => undefined);
    return composePrompt({
      viewer,
      zone,
      now: clock.now(),
      settings: settings.context,
      memoryMd: pinnedFor(viewer, await text(FILES.memory)),
      soul: await text(FILES.soul),
      awareness: await text(FILES.awareness),
      hits,
      history: said.filter(mine),
      inbox: waiting.filter(mine),
    });
  }
}

/** The conversation of the newest input of `local` in `main`, whatever its session. */
function viewerOf(waiting: readonly FiledMessage[], said: readonly FiledMessage[]): Address {
  const isMine = ({ message, belongsTo }: FiledMessage): boolean =>
    scopeOf(message) === MAIN_SCOPE && belongsTo === LOCAL_USER;
  const newest = [...waiting].reverse().find(isMine) ?? [...said].reverse().find(isMine);
  return newest === undefined ? LOCAL_ADDRESS : { ...LOCAL_ADDRESS, session: sessionOf(newest.message) };
}
