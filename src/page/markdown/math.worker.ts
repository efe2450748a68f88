// Lays out formulas outside the main thread. Hostile TeX can make this slow; worker-queue.ts then terminates the Worker.

import { runJobs } from './run-in-worker.ts'
import { layOutTex, type Tex } from './tex.ts'

// The first formula takes longest, because the code is compiled for it. Starting a Worker may take longer than a formula.
layOutTex({ tex: '\\frac{1}{2}', isDisplayed: true })

runJobs((tex: Tex) => layOutTex(tex))
