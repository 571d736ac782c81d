import { nameTokens } from './names.ts'

/** Samplers by the name that ComfyUI uses, with the spellings of other programs. */
const samplers: Readonly<Record<string, readonly string[]>> = {
  euler: [],
  euler_ancestral: ['euler a'],
  euler_cfg_pp: [],
  heun: [],
  heunpp2: ['heun pp 2'],
  dpm_2: ['dpm2', 'kdpm 2'],
  dpm_2_ancestral: ['dpm2 a', 'kdpm 2 a', 'kdpm 2 ancestral'],
  lms: [],
  dpm_fast: [],
  dpm_adaptive: [],
  dpmpp_2s: [],
  dpmpp_2s_ancestral: ['dpm++ 2s a'],
  dpmpp_sde: [],
  dpmpp_2m: [],
  dpmpp_2m_sde: [],
  dpmpp_2m_sde_heun: [],
  dpmpp_3m: [],
  dpmpp_3m_sde: [],
  ddim: [],
  ddpm: [],
  deis: [],
  er_sde: [],
  ipndm: [],
  ipndm_v: [],
  lcm: [],
  plms: ['pndm'],
  res_multistep: [],
  restart: [],
  tcd: [],
  uni_pc: ['unipc'],
  uni_pc_bh2: [],
}

/** Noise schedules by the name that ComfyUI uses. */
const schedulers: Readonly<Record<string, readonly string[]>> = {
  normal: [],
  karras: ['k'],
  exponential: [],
  polyexponential: [],
  simple: [],
  sgm_uniform: [],
  ddim_uniform: ['ddim'],
  uniform: [],
  beta: [],
  linear_quadratic: [],
  kl_optimal: [],
  align_your_steps: ['ays'],
}

const compact = (tokens: readonly string[]): string => tokens.join('')

const spellingsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(table).flatMap(([name, others]) =>
      [name, ...others].map((spelling) => [compact(nameTokens(spelling)), name] as const),
    ),
  )

const samplerSpellings = spellingsOf(samplers)
const schedulerSpellings = spellingsOf(schedulers)

/** Programs write `k_euler` and `dpmpp_2m_sde_gpu` for the same samplers. */
const withoutAffixes = (tokens: readonly string[]): readonly string[] => {
  const first = tokens[0] === 'k' && tokens.length > 1 ? 1 : 0
  return tokens.slice(first, tokens.at(-1) === 'gpu' ? -1 : undefined)
}

interface Sampling {
  sampler: string | null
  scheduler: string | null
}

/**
 * Splits the name of a sampler, which may end with a schedule: `DPM++ 2M Karras`, `dpmpp_2m_k`. Returns null for a name
 * that is not in the table.
 */
const knownSampling = (name: string): Sampling | null => {
  const tokens = withoutAffixes(nameTokens(name))
  const whole = samplerSpellings.get(compact(tokens))
  if (whole !== undefined) return { sampler: whole, scheduler: null }
  for (let words = 1; words <= 3 && words < tokens.length; words += 1) {
    const sampler = samplerSpellings.get(compact(withoutAffixes(tokens.slice(0, -words))))
    const scheduler = schedulerSpellings.get(compact(tokens.slice(-words)))
    if (sampler !== undefined && scheduler !== undefined) return { sampler, scheduler }
  }
  return null
}

/** Returns the schedule that a name means, in the common spelling. null: the program chose it. */
const schedulerOf = (name: string): string | null => {
  const tokens = nameTokens(name)
  if (tokens.length === 1 && tokens[0] === 'automatic') return null
  return schedulerSpellings.get(compact(tokens)) ?? (name.trim() || null)
}

/**
 * Returns sampler and schedule in the common spelling. Names that are not in the tables stay as they are. InvokeAI
 * stores the sampler as `scheduler`.
 */
export const commonSampling = ({ sampler, scheduler }: Sampling): Sampling => {
  if (sampler === null) {
    const known = scheduler === null ? null : knownSampling(scheduler)
    return known ?? { sampler: null, scheduler: scheduler && schedulerOf(scheduler) }
  }
  const known = knownSampling(sampler)
  const schedule = scheduler === null ? null : schedulerOf(scheduler)
  return {
    sampler: known?.sampler ?? (sampler.trim() || null),
    scheduler: schedule ?? known?.scheduler ?? null,
  }
}
