// Promise: the README cannot name a command that does not exist or that no test runs, nor a number that nobody
// measured.

import { expect, test } from 'vitest'

import { commandsOf, readmeFaults } from '../../../scripts/check/readme.ts'

const PROJECT = {
  scripts: new Set(['start', 'chat', 'deploy']),
  covered: new Set(['npm start', 'npm run chat']),
  facts: { 'bundle-kb': 310, skills: 8 },
}

const fence = (body: string): string => `\`\`\`sh\n${body}\n\`\`\`\n`

test('commands are read from sh blocks, without comments, and joined ones one by one', () => {
  const readme = `npm run nothing\n${fence('npm ci && npm start   # opens the page\n\n# only words')}\`\`\`ts\nlet x\n\`\`\`\n`
  expect(commandsOf(readme)).toEqual([
    { line: 3, text: 'npm ci' },
    { line: 3, text: 'npm start' },
  ])
})

test('a correct README has no faults', () => {
  const readme = `${fence('npm ci && npm start\nnpm run chat -- "hi"')}Uploads **<!-- check:bundle-kb -->310** KB, <!-- check:skills -->8 skills`
  expect(readmeFaults(readme, PROJECT)).toEqual([])
})

test('an unknown script, an uncovered command and a stale number are each named with their line', () => {
  const faults = readmeFaults(
    `${fence('npm run bench\nnpm run deploy')}<!-- check:bundle-kb -->300 <!-- check:stars -->9`,
    PROJECT,
  )
  expect(faults).toEqual([
    expect.stringMatching(/^README\.md:2: .*no script "bench"/),
    expect.stringMatching(/^README\.md:3: No test runs `npm run deploy`/),
    expect.stringMatching(/^README\.md:5: bundle-kb is "300" here but was measured as 310/),
    expect.stringMatching(/^README\.md:5: "stars" is not measured/),
  ])
})

test('a block may be excused with a reason, and only that block', () => {
  const readme = `<!-- check:not-run: needs an account -->\n${fence('npm run deploy')}\n${fence('npm run deploy')}`
  expect(readmeFaults(readme, PROJECT)).toHaveLength(1)
})
