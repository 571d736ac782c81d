import fc from 'fast-check';
export { fc };
