/**
 * `name=value` pairs inside an HTML comment. Values stay readable: only what
 * would end the comment, the pair or the line is percent-encoded.
 */
const UNSAFE =
  /[\s%<>="\u0000-\u001f\u007f\u0085\u2028\u2029]|--|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function encodeField(value: string): string {
  return value.replace(UNSAFE, (unsafe) => {
    if (unsafe === "--") return "%2D%2D";
    const code = unsafe.charCodeAt(0);
    return code < 0x80 ? `%${hex(code, 2)}` : `%u${hex(code, 4)}`;
  });
}

export function decodeField(encoded: string): string {
  return encoded.replace(/%u([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})/g, (_all, wide?: string, narrow?: string) =>
    String.fromCharCode(parseInt(wide ?? narrow ?? "", 16)),
  );
}

export function printFields(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([name, value]) => `${name}=${encodeField(value)}`).join(" ");
}

export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split(/\s+/)) {
    const at = pair.indexOf("=");
    if (at > 0) fields.set(pair.slice(0, at), decodeField(pair.slice(at + 1)));
  }
  return fields;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, "0");
}
