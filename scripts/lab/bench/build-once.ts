// One build of skills in its own process, to measure its memory. Arguments: folder of skills, cache file.

import { buildSkills } from '../../build/build-skills.ts'

export interface BuildResult {
  readonly skills: number
  readonly maxRssBytes: number
}

const [directory = '', cacheFile = ''] = process.argv.slice(2)
const { build } = await buildSkills({ dirs: [directory], cacheFile, strict: false, log: () => {} })
const built: BuildResult = {
  skills: build.index.skills.length,
  // The unit is KiB on every system.
  maxRssBytes: process.resourceUsage().maxRSS * 1_024,
}
process.send?.(built)
process.disconnect()
