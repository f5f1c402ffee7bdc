/** A text that is written over only where it is still what was shown; what somebody else wrote stands beside it. */
import { useState } from "preact/hooks";
import type { Refusal } from "./api.js";
import { Trouble } from "./parts.js";
import { TwoPanes } from "./text.js";
import { w } from "./words.js";

interface EditTextProps {
  /** What it is of. */
  name: string;
  shown: string;
  rows: number;
  /** Throws a `Refusal` of `entry_changed` where it does not say what was `over`. */
  save: (text: string, over: string) => Promise<unknown>;
  /** As it stands by now; undefined where it is gone. */
  standing: () => Promise<string | undefined>;
  /** Saved, or left as it is. */
  done: () => void;
}

export function EditText({ name, shown, rows, save, standing, done }: EditTextProps) {
  // What is shown meanwhile is not what was read when somebody began to write.
  const [over, setOver] = useState(shown);
  const [mine, setMine] = useState(shown);
  const [isInTheWay, setInTheWay] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [isWriting, setWriting] = useState(false);
  const write = async (): Promise<void> => {
    setWriting(true);
    setTrouble("");
    try {
      await save(mine, over);
      done();
    } catch (error) {
      const { code, message } = error as Refusal;
      const now = code === "entry_changed" ? await standing().catch(() => undefined) : undefined;
      if (now === undefined) setTrouble(code === "entry_changed" ? w("entryGone") : message);
      else {
        setOver(now);
        setInTheWay(true);
      }
    } finally {
      setWriting(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void write();
      }}
    >
      <textarea
        aria-label={`${w("text")}: ${name}`}
        value={mine}
        rows={rows}
        onInput={(event) => setMine(event.currentTarget.value)}
      />
      {isInTheWay && (
        <div role="alert">
          <p class="refusal">{w("conflict")}</p>
          <TwoPanes leftName={w("yours")} rightName={w("theirs")} left={mine} right={over} />
        </div>
      )}
      <button type="submit" disabled={isWriting}>
        {isInTheWay ? w("keepMine") : w("save")}
      </button>{" "}
      <button type="button" onClick={done}>
        {isInTheWay ? w("keepTheirs") : w("cancel")}
      </button>
      <Trouble text={trouble} />
    </form>
  );
}
