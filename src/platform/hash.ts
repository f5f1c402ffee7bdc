/** Content hashes. SHA-256, cut short where it only has to tell versions apart. */
import { createHash, timingSafeEqual } from "node:crypto";

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

/** `contentHash` of pieces, for what is too long to be hashed at once. */
export function contentHasher(): { update(piece: Uint8Array): void; digest(): string } {
  const hash = createHash("sha256");
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest("hex").slice(0, 16),
  };
}

/** Whether two secrets are equal, in a time that says nothing about where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
