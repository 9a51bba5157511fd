/// The drawing that all pages share.
///
///     const stage = new Stage(canvas, { theme: 'dark' });
///     stage.setGeometry({ dimension: 2, bodies, extent });   // once per scene; shapes about their centres of mass
///     stage.setPoses(poses);                                 // Float64Array, x, y, angle per body (centre of mass)
///     stage.setColours((body) => rgb);                       // or per frame from speeds, forces, …
///     stage.setArrows(arrows); stage.setChains(lines); stage.setMarks(marks); stage.setGhosts(ghosts);
///     stage.camera.fit(extent); stage.invalidate();
///
/// Every setter asks for one redraw in the next animation frame; nothing is drawn while nothing changes
/// (`renderNow` draws at once, for films). All setters keep no reference to the arrays they are given.
/// World coordinates everywhere; `toWorld` and `toPixel` translate from and to pixels of the canvas, `pick`
/// says which body is there. `onTap` tells of clicks, `claim` lets a page take a drag for itself (to move a
/// body), otherwise drags and the wheel move the camera.
export { Stage, type StageOptions } from './stage';
export * from './types';
export { themes, onScale, css, type Theme, type ThemeName, type Rgb } from './theme';
export { insideShape, thickness } from './outline';
