/**
 * HTTP requests that always end: one total deadline for head and body together (a dripping body never rests
 * long enough for an idle timeout) and a cap on the body's size. Redirects are answers, not followed: a key
 * goes to the endpoint that was named and nowhere else.
 */
export type HttpFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Which limit ended the request. */
export class HttpLimitError extends Error {
  constructor(
    readonly limit: "timeout" | "size",
    message: string,
  ) {
    super(message);
    this.name = "HttpLimitError";
  }
}

/** A `fetch` whose answer is there as a whole, or which rejects with HttpLimitError or what `fetch` throws. */
export function boundedFetch(limits: { timeoutMs: number; maxBytes: number }): HttpFetch {
  return async (input, init = {}) => {
    const abort = new AbortController();
    const late = new HttpLimitError("timeout", `no whole answer within ${limits.timeoutMs / 1000} s`);
    const timer = setTimeout(() => abort.abort(late), limits.timeoutMs);
    const cancel = (): void => abort.abort(init.signal?.reason);
    init.signal?.addEventListener("abort", cancel);
    try {
      const response = await fetch(input, { ...init, redirect: "manual", signal: abort.signal });
      const body = await readBody(response, limits.maxBytes, abort);
      const { status, statusText, headers } = response;
      // The body is decoded already; and some statuses may not carry one at all.
      const plain = new Headers(headers);
      plain.delete("content-encoding");
      return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers: plain });
    } catch (error) {
      throw abort.signal.reason instanceof HttpLimitError ? abort.signal.reason : error;
    } finally {
      clearTimeout(timer);
      init.signal?.removeEventListener("abort", cancel);
    }
  };
}

async function readBody(
  response: Response,
  maxBytes: number,
  abort: AbortController,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      const tooLarge = new HttpLimitError("size", `the answer is larger than ${maxBytes} bytes`);
      abort.abort(tooLarge);
      throw tooLarge;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
