// The shell's module for Node: the same code that runs in its isolate.

export * as shell from './shell.js'
export { runBash } from '../../../src/sandbox/bash/run.ts'
