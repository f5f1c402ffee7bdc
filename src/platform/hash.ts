/** Content hashes. SHA-256, cut short where it only has to tell versions apart. */
import { createHash } from "node:crypto";

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** 16 hex digits: tells two versions of one file apart. */
export function contentHash(data: string | Uint8Array): string {
  return sha256(data).slice(0, 16);
}

/** 8 hex digits: for names that a person reads. */
export function shortHash(data: string | Uint8Array): string {
  return sha256(data).slice(0, 8);
}
