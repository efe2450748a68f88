// Index entries of a library of thousands of skills, as long as real ones and with distinct names.

import type { IndexEntry } from '../../src/skills/skill.ts'

const SENTENCE =
  'Use when the user wants the quarterly figures of one plant checked, compared with the last audit and put into words.'

/** About 1,200 bytes of JSON each, the average of real skills. */
export function manyEntries(count: number): readonly IndexEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `plant-${String(at).padStart(5, '0')}`
    const sha = at.toString(16).padStart(64, '0')
    return {
      name,
      description: `Audit of ${name}. ${SENTENCE} ${SENTENCE}`,
      category: 'public',
      digest: sha,
      body: sha,
      license: 'MIT',
      tags: ['audit', 'plants'],
      allowed_tools: null,
      disallowed_tools: [],
      model_invocable: true,
      user_invocable: true,
      internal: false,
      argument_hint: null,
      dependencies: [],
      version: '1.0.0',
      card: null,
      changelog: null,
      search_terms: `${SENTENCE.toLowerCase().replaceAll(/[^a-z ]/g, '')} `.repeat(3).trim(),
      tokens: { index: 70, body: 1_200 },
      files: 3,
      bytes: 9_000,
      enabled: true,
      shareable: false,
      shadows: false,
      updated_at: null,
      diagnostics: [],
    }
  })
}
