// A real browser from npm.

import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

import { UNTIL_MS } from '../e2e/satchel.ts'

/** Quiet and offline: the browser connects only to the server under test. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: FLAGS, timeout: UNTIL_MS })
}
