/** A plan of what was said and done in one session, before any format writes it down. */
import type { Prose } from "./prose.js";
import { SHORT_AND_REPEATED } from "./prose.js";
import type { Random } from "./random.js";

export interface Tool {
  id: string;
  name: string;
  input: Record<string, string>;
  output: string;
  failed: boolean;
}

/** One reply of a model: it may think, say something in a text or two, and call a tool. */
export interface Step {
  at: number;
  thinking: string | undefined;
  texts: string[];
  tool: Tool | undefined;
}

export interface Turn {
  at: number;
  human: string;
  /** None where the person interrupted at once. */
  steps: Step[];
}

export interface Session {
  id: string;
  cwd: string;
  title: string;
  turns: Turn[];
  endsAt: number;
  /** For kinds without tools: how much text it would take to reach the wanted size. */
  roomBytes: number;
}

const FIRST_DAY = Date.parse("2026-03-01T00:12:00.000Z");
const PLACES = ["/w/boat", "/home/alice/my.app", "/home/alice/日记", "/w/boat/packages/api_v2"];

export class Talk {
  repeats = 0;
  readonly #random: Random;
  readonly #prose: Prose;
  readonly #shareBytes: number | undefined;
  #now = FIRST_DAY;

  constructor(random: Random, prose: Prose, sessions: number, bytes: number | undefined) {
    this.#random = random;
    this.#prose = prose;
    this.#shareBytes = bytes === undefined ? undefined : bytes / Math.max(1, sessions);
  }

  session(): Session {
    const random = this.#random;
    this.#now += random.between(600_000, 40_000_000);
    const count = random.chance(0.06) ? random.between(18, 30) : random.between(2, 9);
    const turns: Turn[] = [];
    while (turns.length < count) turns.push(...this.#turns());
    const session = {
      id: random.uuid(),
      cwd: random.pick(PLACES),
      title: `Title ${this.#prose.word()}`,
      turns,
      endsAt: this.#now,
      roomBytes: this.#room(turns),
    };
    this.#fill(session);
    return session;
  }

  /** A few more turns, after everything so far. */
  more(count: number): Turn[] {
    this.#now += this.#random.between(600_000, 9_000_000);
    return Array.from({ length: count }, () => this.#turn(this.#prose.human(), false));
  }

  /** The next moment, with milliseconds. */
  tick(): number {
    this.#now += this.#random.between(800, 90_000);
    return this.#now;
  }

  #turns(): Turn[] {
    const dice = this.#random.next();
    if (dice > 0.09) return [this.#turn(this.#prose.human(), this.#random.chance(0.04))];
    const again = this.#random.pick(SHORT_AND_REPEATED);
    this.repeats += 1;
    // The second comes right after the first, or after an answer that is said again too.
    if (dice < 0.05) return [this.#turn(again, true), this.#turn(again, false)];
    return [this.#sayAgain(again), this.#sayAgain(again)];
  }

  #sayAgain(text: string): Turn {
    const at = this.tick();
    return {
      at,
      human: text,
      steps: [{ at: this.tick(), thinking: undefined, texts: ["Done."], tool: undefined }],
    };
  }

  #turn(human: string, unanswered: boolean): Turn {
    const turn: Turn = { at: this.tick(), human, steps: [] };
    const count = unanswered ? 0 : this.#random.between(1, 4);
    for (let left = count; left > 0; left--) turn.steps.push(this.#step(left === 1));
    return turn;
  }

  #step(last: boolean): Step {
    const random = this.#random;
    const texts = last || random.chance(0.45) ? [this.#prose.agent()] : [];
    if (last && random.chance(0.12)) texts.push(this.#prose.agent());
    return {
      at: this.tick(),
      thinking: random.chance(0.4) ? `Thought: ${this.#prose.human()}` : undefined,
      texts,
      tool: last ? undefined : this.#tool(),
    };
  }

  #tool(): Tool {
    const name = this.#random.pick(["Bash", "Read", "Edit", "Grep"]);
    const input = {
      command: `${name.toLowerCase()} ${this.#prose.word()}`,
      description: "what a tool is told",
    };
    return { id: `call_${this.#random.hex(20)}`, name, input, output: "", failed: this.#random.chance(0.06) };
  }

  #room(turns: readonly Turn[]): number {
    if (this.#shareBytes === undefined) return this.#random.between(800, 6_000);
    let said = 0;
    for (const turn of turns) {
      said += Buffer.byteLength(turn.human) + 400;
      for (const step of turn.steps) said += Buffer.byteLength(step.texts.join("")) + 600;
    }
    return Math.max(0, Math.floor(this.#shareBytes * (0.4 + this.#random.next() * 1.2)) - said);
  }

  #fill(session: Session): void {
    const steps = session.turns.flatMap((turn) => turn.steps);
    const tools = steps.flatMap((step) => (step.tool === undefined ? [] : [step.tool]));
    if (tools.length === 0) {
      const first = steps[0];
      if (first === undefined) return;
      first.tool = this.#tool();
      tools.push(first.tool);
    }
    const thinkers = steps.filter((step) => step.thinking !== undefined);
    for (const step of thinkers)
      step.thinking += `\n${this.#prose.output((session.roomBytes * 0.15) / thinkers.length)}`;
    const weights = tools.map(() => 0.05 + this.#random.next() ** 3);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const room = session.roomBytes * (thinkers.length > 0 ? 0.8 : 0.95);
    tools.forEach((tool, at) => {
      tool.output = this.#prose.output(Math.floor((room * (weights[at] ?? 0)) / sum));
    });
  }
}
