import fc from 'fast-check'

// vite.config.ts chooses the seed (`choosePropertySeed`). Every test file of a run gets the same one.
fc.configureGlobal({ seed: Number(process.env.FC_SEED) })
