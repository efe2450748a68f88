// What is wrong with the `extensions_config.json` of a folder of skills: its switches, and the tools that it brings.

import { join } from 'node:path'
import { readSwitches } from '../skill-folders/switches.ts'
import type { CheckedSkill } from './check.ts'

/** Of each of these paths that is a folder with one that has findings; told like those of a skill. */
export async function checkConfigs(paths: readonly string[]): Promise<readonly CheckedSkill[]> {
  const all = await Promise.all(
    [...new Set(paths)].map(async (place): Promise<CheckedSkill> => {
      const { findings } = await readSwitches(place)
      return { place, packed: false, at: (file) => join(place, file), name: null, findings, scripts: [] }
    }),
  )
  return all.filter(({ findings }) => findings.length > 0)
}
