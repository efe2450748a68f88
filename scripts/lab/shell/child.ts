// The shell's module for Node: the same code as in its isolate, without the isolate.

export * as shell from './shell.js'
export { runBash } from '../../../src/sandbox/bash/run.ts'
