// Offers the skills that a site lists under /.well-known/agent-skills/ (discovery 0.2.0), and verifies their
// digests.

import { fromUtf8, sha256Hex } from '../../src/lib/bytes.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { ARCHIVE_BODY_MAX_BYTES } from '../../src/api/skills/limits.ts'
import { SKILL_MD_MAX_BYTES } from '../../src/limits/skills.ts'
import { ADD_CONCURRENT_DOWNLOADS_MAX, ADD_INDEX_MAX_BYTES, ADD_SKILLS_MAX } from './limits.ts'
import { quoted, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { mapBounded } from '../lib/pool.ts'
import { explainPackageFailure } from './explain.ts'
import { checkFiles, type Offer, type SourceOffers } from './offer.ts'
import { readSiteIndex, type SiteEntry } from './site-index.ts'
import type { Web } from './web.ts'

const INDEX_PATH = '.well-known/agent-skills/index.json'

/**
 * The addresses at which a site's index may be, in the order to try. If `site` is the index itself, only
 * that.
 */
export function indexAddresses(site: string): readonly string[] {
  const url = new URL(site)
  url.search = ''
  if (url.pathname.endsWith(`/${INDEX_PATH}`)) return [url.href]
  const folder = url.href.endsWith('/') ? url.href : `${url.href}/`
  return [...new Set([folder, `${url.origin}/`])].map((base) => base + INDEX_PATH)
}

export async function fetchSiteOffers(web: Web, site: string): Promise<Result<SourceOffers, string>> {
  const failures: string[] = []
  for (const address of indexAddresses(site)) {
    const download = await web.bytes(address, ADD_INDEX_MAX_BYTES)
    if (!download.ok) {
      // If the host cannot be reached, the next address will fail as well.
      if (download.error.status === null) return err(download.error.detail)
      failures.push(download.error.detail)
      continue
    }
    const index = readSiteIndex(fromUtf8(download.value.bytes) ?? '', download.value.url)
    if (!index.ok) failures.push(`${address}: ${index.error}`)
    else if (index.value.entries.length > ADD_SKILLS_MAX)
      return err(`${address} lists ${index.value.entries.length} skills; the limit is ${ADD_SKILLS_MAX}.`)
    else if (index.value.entries.length > 0)
      return ok(createOffers(web, index.value.entries, index.value.problems))
    else failures.push(`${address} lists no skill that can be added. ${index.value.problems.join(' ')}`)
  }
  return err(`${site} lists no skills.\n${failures.map((line) => `  ${line}`).join('\n')}`)
}

function createOffers(web: Web, entries: readonly SiteEntry[], problems: readonly string[]): SourceOffers {
  const offers = entries.map(({ name, description, url }): Offer => ({
    name,
    description,
    path: url,
    isInternal: false,
    twinOf: null,
  }))
  return {
    offers,
    problems,
    commit: null,
    load: async (chosen) =>
      mapBounded(chosen, ADD_CONCURRENT_DOWNLOADS_MAX, async (offer) => {
        const entry = entries.find(({ name }) => name === offer.name)
        if (!entry) return err(`${quoted(offer.name)} is not in the index.`)
        const files = await fetchSkill(web, entry)
        return files.ok ? checkName(files.value, entry.name) : files
      }),
  }
}

/** Checks that the files are those of the skill that the index names. */
function checkName(files: FileMap, name: string): Result<FileMap, string> {
  const { skill } = parseSkill(files.get(SKILL_FILE) ?? new Uint8Array(), name, 'lenient')
  if (!skill) return err(`The ${SKILL_FILE} of ${quoted(name)} cannot be loaded.`)
  if (skill.meta.name === name) return ok(files)
  return err(
    `The index names the skill ${quoted(name)}, but its ${SKILL_FILE} says ${quoted(skill.meta.name)}, so it was refused.`,
  )
}

async function fetchSkill(web: Web, entry: SiteEntry): Promise<Result<FileMap, string>> {
  const maxBytes = entry.type === 'archive' ? ARCHIVE_BODY_MAX_BYTES : SKILL_MD_MAX_BYTES
  const download = await web.bytes(entry.url, maxBytes)
  if (!download.ok) return err(download.error.detail)
  const digest = `sha256:${await sha256Hex(download.value.bytes)}`
  if (digest !== entry.digest)
    return err(
      `${entry.url} has the digest ${digest}, but the index says ${entry.digest}, so it was refused.`,
    )
  if (entry.type === 'skill-md') return checkFiles(new Map([[SKILL_FILE, download.value.bytes]]))
  const unpacked = await unpackArchive(download.value.bytes)
  return unpacked.ok ? checkFiles(unpacked.value) : err(explainPackageFailure(unpacked.error))
}
