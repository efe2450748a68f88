// Reads bytes by their SHA-256 from the isolate's cache, KV or R2. Verifies the hash of everything a store returns.

import { fromUtf8, sha256Hex } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { STORE_ATTEMPTS_MAX } from '../../limits/skills.ts'
import {
  CONTENT_CACHE_MAX_BYTES,
  CONTENT_CACHE_ITEM_MAX_BYTES,
  INDEX_CACHE_MAX_BYTES,
  TOOL_DETAILS_CACHE_MAX_BYTES,
} from './limits.ts'
import { weightedCache, type WeightedCache } from './content-cache.ts'
import { joinShards, parseIndexObject, type IndexObject } from './index-json.ts'
import { blobKey, bodyKey, indexKey, type Scope } from './keys.ts'
import { detailsIn, isWhole, readWholeTools } from './tool-details.ts'
import { parseManifest } from '../package/digest.ts'
import type { IndexEntry, ManifestFile, SkillIndex, ToolEntry, WholeTool } from '../skill.ts'
import type { Opened, SkillStores } from './store.ts'

/** The identity of a skill version. The category tells whether its bytes belong to the build or the workspace. */
type SkillVersion = Pick<IndexEntry, 'category' | 'name' | 'digest'>

/**
 * Reads content for one workspace. Every failure is `catalog_broken`, which means that content that should exist cannot
 * be read.
 */
export interface ContentReader {
  /** The text of the skill's SKILL.md. */
  body(entry: IndexEntry): Promise<Result<string>>
  /** The files of the version. */
  manifest(version: SkillVersion): Promise<Result<readonly ManifestFile[]>>
  /** The bytes of one file, by its hash in the manifest. */
  file(version: SkillVersion, sha256: string): Promise<Result<Uint8Array<ArrayBuffer>>>
  /** The bytes of one file, for a response. A large file is a stream, which may break. */
  openFile(version: SkillVersion, sha256: string): Promise<Result<Opened>>
  /** The archive of a shared version, for a response. */
  openArtifact(sha256: string): Promise<Result<Opened>>
  /**
   * The index with this address, either the build's or a merged one of this workspace. `absent` is the failure if no
   * store has it, for an index that may still be pushed.
   */
  index(sha256: string, absent?: Result<never>): Promise<Result<SkillIndex>>
  /** These entries of an index with everything that is stored about them. The same objects for the same list. */
  wholeTools(tools: readonly ToolEntry[]): Promise<Result<readonly WholeTool[]>>
}

/** What an isolate caches. The weight of an index is the bytes of its JSON. */
export interface IsolateCache {
  readonly bytes: WeightedCache<Uint8Array<ArrayBuffer>>
  readonly indexes: WeightedCache<SkillIndex>
  readonly details: WeightedCache<ReadonlyMap<string, ToolEntry['definition']>>
}

export function isolateCache(): IsolateCache {
  return {
    bytes: weightedCache(CONTENT_CACHE_MAX_BYTES),
    indexes: weightedCache(INDEX_CACHE_MAX_BYTES),
    details: weightedCache(TOOL_DETAILS_CACHE_MAX_BYTES),
  }
}

type StoreRead = () => Promise<Uint8Array<ArrayBuffer> | null>

/**
 * The bytes of the first source whose hash is right. Retries a source that throws. `absent` is the failure if all
 * sources respond and none has bytes; by default, that is the same failure as for damaged bytes.
 */
async function readVerified(
  description: string,
  sha256: string,
  sources: readonly StoreRead[],
  absent?: Result<never>,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  let isUnresponsive = false
  let isDamaged = false
  for (const source of sources) {
    for (let attempt = 1; attempt <= STORE_ATTEMPTS_MAX; attempt++) {
      try {
        const bytes = await source()
        if (bytes && (await sha256Hex(bytes)) === sha256) return ok(bytes)
        isDamaged ||= bytes !== null
        break
      } catch {
        isUnresponsive = true
      }
    }
  }
  if (absent && !isUnresponsive && !isDamaged) return absent
  return isUnresponsive
    ? fail(
        'catalog_broken',
        `The store did not respond to a request for ${description}. Try again in a moment.`,
        {
          retryAfterS: 2,
        },
      )
    : fail(
        'catalog_broken',
        `${description} (sha256 ${sha256}) is missing or damaged in the stores. Publish it again.`,
      )
}

/** A reader for one workspace, which may read the blobs of the workspace and of the build. */
export function contentReader(stores: SkillStores, workspace: string, cache: IsolateCache): ContentReader {
  const scopeOf = (entry: SkillVersion): Scope => (entry.category === 'public' ? 'build' : { workspace })
  const { bodies, blobs } = stores

  const read = async (
    description: string,
    key: string,
    sha256: string,
    sources: readonly StoreRead[],
  ): Promise<Result<Uint8Array<ArrayBuffer>>> => {
    const cached = cache.bytes.get(key)
    if (cached) return ok(cached)
    const found = await readVerified(description, sha256, sources)
    if (found.ok && found.value.byteLength <= CONTENT_CACHE_ITEM_MAX_BYTES)
      cache.bytes.set(key, found.value, found.value.byteLength)
    return found
  }

  const open = async (description: string, key: string, sha256: string): Promise<Result<Opened>> => {
    const large: ReadableStream<Uint8Array>[] = []
    const found = await read(description, key, sha256, [
      async () => {
        const opened = await blobs.open(key, sha256, CONTENT_CACHE_ITEM_MAX_BYTES)
        if (!(opened instanceof ReadableStream)) return opened
        large.push(opened)
        return null
      },
    ])
    const [stream] = large
    return stream ? ok(stream) : found
  }

  const file: ContentReader['file'] = (entry, sha256) => {
    const key = blobKey(scopeOf(entry), sha256)
    return read(`A file of skill "${entry.name}"`, key, sha256, [() => blobs.get(key)])
  }

  const objectOf = <T>(
    description: string,
    sha256: string,
    parse: (text: string) => T | null,
    absent?: Result<never>,
  ): Promise<Result<{ readonly value: T; readonly bytes: number }>> => {
    const sources = [
      () => bodies.get(indexKey(sha256)),
      () => blobs.get(blobKey({ workspace }, sha256)),
      () => blobs.get(blobKey('build', sha256)),
    ]
    return readVerified(description, sha256, sources, absent).then((found) => {
      if (!found.ok) return found
      const value = parse(fromUtf8(found.value) ?? '')
      return value === null ? unreadable(sha256) : ok({ value, bytes: found.value.byteLength })
    })
  }

  const indexObject = (sha256: string, absent?: Result<never>) =>
    objectOf<IndexObject>('A skill index', sha256, parseIndexObject, absent)

  return {
    file,
    async body(entry) {
      // The cache uses the same key for both stores, because their bytes are the same.
      const key = blobKey(scopeOf(entry), entry.body)
      const found = await read(`SKILL.md of skill "${entry.name}"`, key, entry.body, [
        () => bodies.get(bodyKey(scopeOf(entry), entry.body)),
        () => blobs.get(key),
      ])
      if (!found.ok) return found
      const text = fromUtf8(found.value)
      return text === null
        ? fail('catalog_broken', `SKILL.md of skill "${entry.name}" is not UTF-8. Publish it again.`)
        : ok(text)
    },
    async manifest(entry) {
      const found = await file(entry, entry.digest)
      if (!found.ok) return found
      const files = parseManifest(fromUtf8(found.value) ?? '')
      return files
        ? ok(files)
        : fail('catalog_broken', `The manifest of skill "${entry.name}" is damaged. Publish it again.`)
    },
    openFile: (version, sha256) =>
      open(`A file of skill "${version.name}"`, blobKey(scopeOf(version), sha256), sha256),
    openArtifact: (sha256) => open('A shared archive', blobKey({ workspace }, sha256), sha256),
    async index(sha256, absent) {
      const cached = cache.indexes.get(sha256)
      if (cached) return ok(cached)
      const root = await indexObject(sha256, absent)
      if (!root.ok) return root
      const { value } = root.value
      const shards = 'skills' in value ? [] : value.shards
      const parts = await Promise.all(shards.map(async (shard) => indexObject(shard.sha256)))
      let { bytes } = root.value
      for (const part of parts) {
        if (!part.ok) return part
        bytes += part.value.bytes
      }
      const index =
        'skills' in value
          ? value
          : joinShards(
              value,
              parts.map((part) => (part.ok ? part.value.value : null)),
            )
      if (!index) return unreadable(sha256)
      cache.indexes.set(sha256, index, bytes)
      return ok(index)
    },
    async wholeTools(tools) {
      if (tools.every(isWhole)) return ok(tools)
      return readWholeTools(tools, async (sha256) => {
        const cached = cache.details.get(sha256)
        if (cached) return ok(cached)
        const object = await objectOf('The definitions of tools', sha256, detailsIn)
        if (!object.ok) return object
        cache.details.set(sha256, object.value.value, object.value.bytes)
        return ok(object.value.value)
      })
    },
  }
}

function unreadable(sha256: string): Result<never> {
  return fail(
    'catalog_broken',
    `The skill index ${sha256} cannot be parsed. Build and push the skills again.`,
  )
}
