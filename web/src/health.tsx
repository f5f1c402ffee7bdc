/** Health: what waits, what failed, what models cost, and what happens right now. */
import { useState } from "preact/hooks";
import { ask, type Refusal } from "./api.js";
import { changes, happened } from "./live.js";
import { Answered, count, momentOf, Trouble } from "./parts.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

export function Health() {
  const status = useAsk("status", {});
  const queue = useAsk("listQueue", {});
  const usage = useAsk("usage", {});
  const [trouble, setTrouble] = useState("");
  changes.use(
    () => {
      status.again();
      queue.again();
    },
    () => true,
  );
  const act = async (what: "retryJob" | "dropJob", id: string): Promise<void> => {
    try {
      await ask(what, { id });
      queue.again();
    } catch (error) {
      setTrouble((error as Refusal).message);
    }
  };
  return (
    <>
      <h1>{w("health")}</h1>
      <Answered
        asked={status}
        of={({
          workspace,
          owner,
          history,
          inbox,
          archive,
          index,
          models,
          conflicts,
          trouble: stuck,
          memoryBytes,
          disk,
          topics,
          git,
        }) => (
          <>
            <Trouble text={stuck === undefined ? "" : `${stuck.message} ${stuck.advice}`} />
            <dl class="facts">
              <dt>workspace</dt>
              <dd class="path">
                <bdi>{workspace}</bdi>
              </dd>
              <dt>{w("memd")}</dt>
              <dd>
                {owner.pid} · {momentOf(owner.since)} · {Math.round(memoryBytes / 1e6)} MB
              </dd>
              {disk !== undefined && (
                <>
                  <dt>{w("disk")}</dt>
                  <dd>
                    <meter
                      class="meter"
                      min={0}
                      max={disk.totalBytes}
                      value={disk.totalBytes - disk.freeBytes}
                      high={FULL * disk.totalBytes}
                      aria-label={w("disk")}
                    />
                    {gigabytes(disk.freeBytes)} {w("free")} {gigabytes(disk.totalBytes)}
                  </dd>
                </>
              )}
              <dt>history</dt>
              <dd>
                {count(history.messages)} {w("messages")} · {count(history.unarchived)} {w("waiting")}
              </dd>
              <dt>inbox</dt>
              <dd>
                {inbox.waiting} {w("waiting")}
              </dd>
              <dt>archive</dt>
              <dd>
                {count(archive.verbatimDays)} {w("days")} · {count(archive.summaries)} {w("summaries")} ·{" "}
                {archive.owed} {w("waiting")}
              </dd>
              <dt>index</dt>
              <dd>
                {index.engine} · {count(index.files)} {w("files")} · {count(index.passages)} {w("passages")}{" "}
                {index.fault}
              </dd>
              <dt>{w("models")}</dt>
              <dd>
                {models.provider} · {count(models.tokensToday)} {w("tokens")} {models.failing}
              </dd>
              {topics !== undefined && (
                <>
                  <dt>{w("topics")}</dt>
                  <dd>
                    {topics.active} {w("active")} · {topics.dormant} {w("dormant")} · {topics.archived}{" "}
                    {w("archived")} {topics.failing}
                  </dd>
                </>
              )}
              {git !== undefined && (
                <>
                  <dt>git</dt>
                  <dd>
                    {git.branch} {git.commit} {git.pending} {git.held}
                  </dd>
                </>
              )}
              <dt>{w("conflicts")}</dt>
              <dd>
                {conflicts.length === 0 ? (
                  "0"
                ) : (
                  <>
                    <p class="note">{w("conflictsHow")}</p>
                    <ul class="plain">
                      {conflicts.map((name) => (
                        <li key={name} class="path">
                          conflicts/{name}
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </dd>
            </dl>
          </>
        )}
      />
      <h2>{w("queue")}</h2>
      <Answered
        asked={queue}
        of={({ jobs }) =>
          jobs.length === 0 ? (
            <p class="quiet">{w("nothing")}</p>
          ) : (
            <ul class="hits">
              {jobs.map(({ id, state, job, error }) => (
                <li key={id} class="item" tabIndex={-1}>
                  {id} · {job?.kind} · {state} {error !== undefined && <span class="why">{error}</span>}{" "}
                  {state === "failed" && (
                    <button type="button" onClick={() => void act("retryJob", id)}>
                      {w("retry")}
                    </button>
                  )}{" "}
                  {state !== "processing" && (
                    <button type="button" onClick={() => void act("dropJob", id)}>
                      {w("drop")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      />
      <Trouble text={trouble} />
      <h2>{w("models")}</h2>
      <Answered asked={usage} of={(answer) => <Usage totals={answer.totals} />} />
      <h2>{w("log")}</h2>
      <ol class="log" aria-live="off">
        {happened.value.map((one, at) => (
          <li key={happened.value.length - at}>
            <code>{one.event}</code> <span class="quiet">{JSON.stringify(one)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Fuller than this a disk is told to be full soon. */
const FULL = 0.95;

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

type Total = {
  day: string;
  role: string;
  model: string;
  calls: number;
  failures: number;
  tokensIn: number;
  tokensOut: number;
};

function Usage({ totals }: { totals: readonly Total[] }) {
  if (totals.length === 0) return <p class="quiet">{w("nothing")}</p>;
  const most = Math.max(1, ...totals.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{w("day")}</th>
          <th scope="col">{w("models")}</th>
          <th scope="col">{w("calls")}</th>
          <th scope="col">{w("failed")}</th>
          <th scope="col">{w("tokens")}</th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ day, role, model, calls, failures, tokensIn, tokensOut }) => (
          <tr key={`${day} ${role} ${model}`}>
            <th scope="row">{day}</th>
            <td>
              {role} {model}
            </td>
            <td>{count(calls)}</td>
            <td>{count(failures)}</td>
            <td>
              <meter
                class="meter"
                min={0}
                max={most}
                value={tokensIn + tokensOut}
                aria-label={`${w("tokens")} ${day} ${role}`}
              />
              {count(tokensIn + tokensOut)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
