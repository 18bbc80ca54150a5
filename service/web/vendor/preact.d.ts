// What the page uses of preact.js, for the type check alone.
export type View = unknown;
export function html(strings: TemplateStringsArray, ...values: unknown[]): View;
export function render(view: View, into: Element): void;
export function useState(first?: any): [any, (next: any) => void];
export function useEffect(act: () => unknown, on?: unknown[]): void;
export function useLayoutEffect(act: () => unknown, on?: unknown[]): void;
export function useRef<T = any>(first?: T): { current: T };
export function useMemo<T>(make: () => T, on?: unknown[]): T;
