/** What the tables of memd.toml are made of. */
import * as z from "zod";

export const positive = z.number().positive();
export const count = z.number().int().positive();
export const countOrNone = z.number().int().nonnegative();

/** A table of memd.toml, which may be left out whole: then each of its settings has its default. */
export function section<S extends z.ZodRawShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>> {
  return z.strictObject(shape).prefault({} as z.input<z.ZodObject<S, z.core.$strict>>);
}
