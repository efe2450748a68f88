// Guards that real skills load: all of a collection of 111, with the same verdicts as the reference validator.

import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBuild } from '../../../scripts/build/build.ts'
import { isError, parseStrictly } from './strictly.ts'

// The collection is not part of the project; without it there is nothing to load.
const CORPUS = resolve(process.env['SATCHEL_CORPUS'] ?? '../shared/corpus')

describe.skipIf(!existsSync(CORPUS))('a collection of real skills', () => {
  test('loads all 111; 108 names are live, 3 are hidden', async () => {
    const { skills, build } = await makeBuild([CORPUS], false)
    expect(skills).toHaveLength(111)
    expect(skills.filter(({ entry }) => entry === null)).toEqual([])
    expect(build.index.skills).toHaveLength(108)
    const hidden = skills.filter(({ isHidden }) => isHidden).map(({ entry }) => entry?.name)
    expect(new Set(hidden)).toEqual(new Set(['frontend-design', 'skill-creator', 'web-design-guidelines']))
    const errors = skills.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))
    expect(errors).toEqual([])
    expect(skills.reduce((files, { entry }) => files + (entry?.files ?? 0), 0)).toBe(722)
    expect(skills.reduce((bytes, { entry }) => bytes + (entry?.bytes ?? 0), 0)).toBe(4_880_778)
  })

  test('has 104 that are valid by the reference, and seven invalid for the known reasons', async () => {
    const { skills } = await makeBuild([CORPUS], false)
    const refused = new Map<string, string>()
    for (const { location, skillFile } of skills)
      for (const finding of parseStrictly(readFileSync(join(location, skillFile)), basename(location)))
        if (isError(finding)) refused.set(location.slice(CORPUS.length + 1), finding.rule)
    expect(Object.fromEntries(refused)).toEqual({
      'anthropics-skills/claude-api': 'description-too-long',
      'bytedance-deer-flow/chart-visualization': 'not-a-string',
      'bytedance-deer-flow/vercel-deploy-claimable': 'name-not-folder',
      'vercel-labs-agent-skills/composition-patterns': 'name-not-folder',
      'vercel-labs-agent-skills/react-best-practices': 'name-not-folder',
      'vercel-labs-agent-skills/react-native-skills': 'name-not-folder',
      'vercel-labs-agent-skills/react-view-transitions': 'name-not-folder',
    })
  })
})
