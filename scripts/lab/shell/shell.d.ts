export * from '../../../src/sandbox/bash/shell.js'
