/** XXH64 with seed 0, as the checksum of a Zstandard frame wants it; little-endian. */
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const low = (value: bigint): bigint => BigInt.asUintN(64, value);
const turned = (value: bigint, by: bigint): bigint => low(value << by) | (value >> (64n - by));
const round = (sum: bigint, lane: bigint): bigint => low(turned(low(sum + lane * P2), 31n) * P1);

export function xxh64(content: Buffer): Buffer {
  const whole = content.length - (content.length % 32);
  let hash = low((whole > 0 ? stripes(content, whole) : P5) + BigInt(content.length));
  let at = whole;
  for (; at + 8 <= content.length; at += 8)
    hash = low(turned(hash ^ round(0n, content.readBigUInt64LE(at)), 27n) * P1 + P4);
  if (at + 4 <= content.length) {
    hash = low(turned(hash ^ low(BigInt(content.readUInt32LE(at)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < content.length; at++)
    hash = low(turned(hash ^ low(BigInt(content.readUInt8(at)) * P5), 11n) * P1);
  hash = low((hash ^ (hash >> 33n)) * P2);
  hash = low((hash ^ (hash >> 29n)) * P3);
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(hash ^ (hash >> 32n));
  return sum;
}

function stripes(content: Buffer, whole: number): bigint {
  const sums = [low(P1 + P2), P2, 0n, low(-P1)];
  for (let at = 0; at < whole; at += 8) {
    const lane = (at / 8) % 4;
    sums[lane] = round(sums[lane] ?? 0n, content.readBigUInt64LE(at));
  }
  const turns = [1n, 7n, 12n, 18n];
  let hash = 0n;
  sums.forEach((sum, lane) => (hash = low(hash + turned(sum, turns[lane] ?? 1n))));
  for (const sum of sums) hash = low((hash ^ round(0n, sum)) * P1 + P4);
  return hash;
}
