// Lays out formulas outside the main thread. Hostile TeX can make this slow; worker-queue.ts then terminates the Worker.

import { runJobs } from './run-in-worker.ts'
import { layOutTex, type Tex } from './tex.ts'

runJobs((tex: Tex) => layOutTex(tex))
