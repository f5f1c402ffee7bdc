/** Whether single keys do something: who speaks to the machine, or strikes keys by mistake, switches them off. */
import { signal } from "@preact/signals";
import { w } from "./words.js";

const KEPT = "memd-keys";
export const keysAreOn = signal(localStorage.getItem(KEPT) !== "off");

export function KeysSwitch() {
  return (
    <p>
      <label>
        <input
          type="checkbox"
          checked={keysAreOn.value}
          onChange={(event) => {
            keysAreOn.value = event.currentTarget.checked;
            localStorage.setItem(KEPT, keysAreOn.value ? "on" : "off");
          }}
        />{" "}
        {w("keysOn")}
      </label>
    </p>
  );
}
