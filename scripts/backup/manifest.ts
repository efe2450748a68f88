// The manifest of an archive: its origin, and the position and digest of every entry. It is the last entry but one.
// The last entry is the server's signature of the manifest's digest.

import * as z from 'zod'

export const MANIFEST_NAME = 'manifest.json'
export const SIGNATURE_NAME = 'signature.json'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().nonnegative()

export const ArchiveManifest = z.object({
  format: z.int(),
  /** A random ID, so that no two archives have the same signature. */
  archive: z.string(),
  workspace: z.string(),
  build: z.string(),
  at: z.string(),
  checks: z.object({ id: z.array(z.string()), encryption: z.array(z.string()) }),
  /** The objects in backup order, each with the entries of its pages. */
  objects: z.array(z.object({ name: z.string(), pages: z.array(z.string()).min(1), rows: Count })),
  /** The names of stored bytes, and how they are stored in KV, if they are. */
  bytes: z.array(z.object({ name: z.string(), kv: z.enum(['body', 'index']).nullable() })),
  /** Names of objects that were listed but deleted before they could be read. */
  missing: z.array(z.string()),
  /** Names of bytes that the store no longer has. */
  lost: z.array(z.string()),
  /** Names of objects that changed during every attempt to read them. */
  inexact: z.array(z.string()),
  entries: z.array(z.object({ name: z.string(), offset: Count, bytes: Count, sha256: Sha256 })),
})
export type ArchiveManifest = z.infer<typeof ArchiveManifest>
export type Entry = ArchiveManifest['entries'][number]

export const Signature = z.object({ digest: Sha256, signature: Sha256 })
export type Signature = z.infer<typeof Signature>
