// Runs before each command (`node --import`). If this version of Node cannot run TypeScript, starts the one that `npm
// ci` installed; if something is missing, says what to do. Plain JavaScript, so that old versions can run it.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PATH = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const OWN = PATH('node_modules/node/bin/node')
const OLDEST = '22.18'

function refuse(why) {
  const name = process.env.npm_lifecycle_event
  const what = name === undefined ? 'This command' : name === 'test' ? 'npm test' : `npm run ${name}`
  console.error(`${what} ${why}
Run npm ci in the folder of Satchel to install it, then try again.`)
  process.exit(1)
}

/** The name of the first dependency that is not installed. */
function missing() {
  const { dependencies } = JSON.parse(readFileSync(PATH('package.json'), 'utf8'))
  return Object.keys(dependencies).find((name) => !existsSync(PATH(`node_modules/${name}`)))
}

/** Runs the same command with the other version of Node and exits with its status. */
async function handOver() {
  const child = spawn(OWN, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  // Ctrl-C in a terminal reaches both processes; other signals reach only this one.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [status, signal] = await new Promise((resolve) => {
    child.once('error', (error) => refuse(`cannot start ${OWN}: ${error.message}.`))
    child.once('exit', (...ended) => resolve(ended))
  })
  if (signal === null) process.exit(status)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  await new Promise(() => {})
}

if (!process.features.typescript && existsSync(OWN) && process.execPath !== OWN) await handOver()
if (!process.features.typescript)
  refuse(`needs Node ${OLDEST} or newer, and this is ${process.versions.node}.`)
const lacking = missing()
if (lacking !== undefined) refuse(`needs packages that are not installed, such as ${lacking}.`)
