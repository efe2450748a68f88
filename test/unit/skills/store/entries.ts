// Index entries for tests of what is done with an index, with ordinary values.

import type { IndexEntry } from '../../../../src/skills/skill.ts'

export function entry(name: string, change: Partial<IndexEntry> = {}): IndexEntry {
  return {
    name,
    description: `Use for ${name}.`,
    category: 'public',
    digest: 'd'.repeat(64),
    body: 'b'.repeat(64),
    license: null,
    tags: [],
    allowed_tools: null,
    model_invocable: true,
    user_invocable: true,
    internal: false,
    disallowed_tools: [],
    argument_hint: null,
    dependencies: [],
    version: null,
    card: null,
    changelog: null,
    search_terms: '',
    tokens: { index: 1, body: 1 },
    files: 1,
    bytes: 1,
    enabled: true,
    shareable: false,
    shadows: false,
    updated_at: null,
    diagnostics: [],
    ...change,
  }
}
