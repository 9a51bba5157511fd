/// Dark or light: what the reader chose before, otherwise what the system prefers.
import type { ThemeName } from '../stage';

const kKey = 'collapse-theme';
const preferred = window.matchMedia('(prefers-color-scheme: light)');

/// Pages from disk may have no storage.
function remembered(): ThemeName | undefined {
  try {
    const value = localStorage.getItem(kKey);
    return value === 'dark' || value === 'light' ? value : undefined;
  } catch {
    return undefined;
  }
}

export class ThemeChoice {
  private chosen = remembered();

  constructor(private readonly onChange: (theme: ThemeName) => void) {
    preferred.addEventListener('change', () => this.apply());
  }

  get theme(): ThemeName {
    return this.chosen ?? (preferred.matches ? 'light' : 'dark');
  }

  toggle(): void {
    this.chosen = this.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(kKey, this.chosen);
    } catch {
      // Then it holds until the page is closed.
    }
    this.apply();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
    this.onChange(this.theme);
  }
}
