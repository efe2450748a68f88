// Creates the index entry of a skill version.

import { utf8 } from '../../lib/bytes.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { INDEX_FINDINGS_MAX_BYTES } from './limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import type { ParsedSkill } from '../format/parse.ts'
import { indexTerms } from '../search/terms.ts'
import type { Category, Finding, IndexEntry } from '../skill.ts'
import type { Manifest } from './digest.ts'
import { skillListing } from './listing.ts'

export interface EntryParts {
  readonly skill: ParsedSkill
  readonly category: Category
  readonly manifest: Pick<Manifest, 'digest' | 'files'>
  readonly bytes: number
  readonly findings: readonly Finding[]
}

/** The entry of a version. It is enabled, not shareable and shadows nothing; the catalog then sets these fields. */
export function indexEntry(parts: EntryParts): IndexEntry {
  const { manifest } = parts
  const { meta, body } = parts.skill
  const listing = {
    name: meta.name,
    description: meta.description,
    category: parts.category,
    tags: meta.tags,
  }
  return {
    ...listing,
    digest: manifest.digest,
    body: manifest.files.find(({ path }) => path === SKILL_FILE)?.sha256 ?? '',
    license: meta.license,
    allowed_tools: meta.allowedTools,
    disallowed_tools: meta.disallowedTools,
    model_invocable: meta.modelInvocable,
    user_invocable: meta.userInvocable,
    internal: isInternal(meta.extra['metadata']),
    argument_hint: meta.argumentHint,
    card: meta.card,
    dependencies: meta.dependencies,
    version: meta.version,
    changelog: meta.changelog,
    search_terms: indexTerms(body, `${meta.name} ${meta.description}`),
    tokens: {
      index: estimateTokens(skillListing(listing, Number.POSITIVE_INFINITY)),
      body: estimateTokens(body),
    },
    files: manifest.files.length,
    bytes: parts.bytes,
    enabled: true,
    shareable: false,
    shadows: false,
    updated_at: null,
    diagnostics: indexedFindings(parts.findings),
  }
}

const SEVERITY_ORDER: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, note: 2 }

/** The findings that fit into the index, the most severe ones first if not all fit. Keeps their order. */
export function indexedFindings(findings: readonly Finding[]): readonly Finding[] {
  let remainingBytes = INDEX_FINDINGS_MAX_BYTES
  const included = new Set<Finding>()
  for (const finding of findings.toSorted(
    (a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity],
  )) {
    remainingBytes -= utf8(JSON.stringify(finding)).byteLength + 1 // Includes a comma.
    if (remainingBytes < 0) break
    included.add(finding)
  }
  return findings.filter((finding) => included.has(finding))
}

/** Whether `metadata.internal` is true, in any common notation. An invalid value counts as false. */
export function isInternal(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null || !('internal' in metadata)) return false
  return ['true', 'yes', 'on', '1'].includes(String(metadata.internal).trim().toLowerCase())
}
