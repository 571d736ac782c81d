import { expect, it } from 'vitest'
import { nameKey, nameMatcher, plainModelName } from './names.ts'
import { commonSampling } from './samplers.ts'

it.each([
  ['flux1-dev.safetensors', 'flux1-dev'],
  ['FLUX\\flux1-dev.safetensors', 'flux1-dev'],
  ['models/checkpoints/sd_xl_base_1.0.ckpt', 'sd_xl_base_1.0'],
  ['dreamshaper_8 [879db523c3]', 'dreamshaper_8'],
  ['dreamshaper_8.safetensors [879db523c3]', 'dreamshaper_8'],
  ['SDXL 1.0', 'SDXL 1.0'],
  ['.safetensors', '.safetensors'],
])('shortens the model %j to %j', (name, plain) => {
  expect(plainModelName(name)).toBe(plain)
})

it.each([
  ['flux1-dev', 'FLUX1 dev'],
  ['Café_v2', 'cafe v2'],
  ['DPM++ 2M', 'dpmpp_2m'],
  ['★', '★'],
])('has one key for %j and %j', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other))
})

it.each<[string, string, boolean]>([
  ['flux', 'flux1-dev', true],
  ['dev', 'flux1-dev', true],
  ['ux1', 'flux1-dev', false],
  ['dream sha', 'DreamShaper 8', false],
  ['dream sha', 'Dream Shaper 8', true],
  ['dream 8', 'Dream Shaper 8', false],
  ['夜', '深夜景色', true],
  ['+', 'flux', false],
])('compares %j with %j: %s', (value, name, matches) => {
  expect(nameMatcher(value, { isExact: false })(name)).toBe(matches)
})

it('compares exactly without case and punctuation', () => {
  const matches = nameMatcher('FLUX1 Dev', { isExact: true })

  expect(matches('flux1-dev')).toBe(true)
  expect(matches('flux1-dev-fp8')).toBe(false)
})

it.each<[string | null, string | null, string | null, string | null]>([
  ['Euler a', null, 'euler_ancestral', null],
  ['k_euler_a', null, 'euler_ancestral', null],
  ['euler_ancestral', 'normal', 'euler_ancestral', 'normal'],
  ['DPM++ 2M Karras', null, 'dpmpp_2m', 'karras'],
  ['DPM++ 2M SDE Karras', null, 'dpmpp_2m_sde', 'karras'],
  ['DPM++ 2M', 'Karras', 'dpmpp_2m', 'karras'],
  ['DPM++ 2M', 'Automatic', 'dpmpp_2m', null],
  ['dpmpp_2m_sde_gpu', 'sgm_uniform', 'dpmpp_2m_sde', 'sgm_uniform'],
  ['dpmpp_2m', 'SGM Uniform', 'dpmpp_2m', 'sgm_uniform'],
  ['DPM2 a Karras', null, 'dpm_2_ancestral', 'karras'],
  ['UniPC', null, 'uni_pc', null],
  [null, 'dpmpp_2m_k', 'dpmpp_2m', 'karras'],
  [null, 'euler', 'euler', null],
  [null, 'kdpm_2_a_k', 'dpm_2_ancestral', 'karras'],
  [null, 'karras', null, 'karras'],
  ['my own sampler', 'my own schedule', 'my own sampler', 'my own schedule'],
  ['  ', null, null, null],
  [null, null, null, null],
])('reads the sampler %j and the schedule %j', (sampler, scheduler, common, schedule) => {
  expect(commonSampling({ sampler, scheduler })).toEqual({ sampler: common, scheduler: schedule })
})
