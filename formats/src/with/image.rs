//! Gray images: matrices of any format, row 0 at the top. Runs of equal pixels are runs in formats that have them.

use crate::error::Error;
use crate::level::Level;
use crate::tensor::{rank, Entries, Others};
use crate::value::identical;
use crate::{Dense, DenseMat, Element, Fill, Tensor};
use ::image::{ImageBuffer, Luma, Primitive};
use std::ops::Deref;

/// A gray image that owns its pixels: `GrayImage` is one of `u8`.
pub type Gray<T> = ImageBuffer<Luma<T>, Vec<T>>;

impl<L: Level> Tensor<L> {
    /// The image as a tensor whose entry `(i, j)` is the gray value of row `i` and column `j`: of any format of two
    /// dimensions. Formats with runs get a run for each run of equal pixels; others store what is not the fill.
    ///
    /// Linear in the number of pixels; a dense tensor of an image by value moves the pixels (`DenseMat::from`).
    ///
    /// # Errors
    /// [`Error::Rank`], and [`Error::Unstorable`] if the format cannot hold the image.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use image::GrayImage;
    /// use looplets::{Dense, Element, RunList, Tensor};
    ///
    /// let image = GrayImage::from_raw(4, 2, vec![9, 9, 9, 9, 0, 0, 7, 7]).unwrap();
    /// let runs: Tensor<Dense<RunList<Element<u8>>>> = Tensor::from_image(&image)?;
    /// assert_eq!(runs.values(), Some(&[9, 0, 7][..]));
    /// assert_eq!(runs.to_image()?, image);
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn from_image<C>(image: &ImageBuffer<Luma<L::Value>, C>) -> Result<Self, Error>
    where
        L::Value: Primitive,
        C: Deref<Target = [L::Value]>,
    {
        Self::from_image_by(image, |gray| gray)
    }

    /// [`Tensor::from_image`] with the values that `value` gives for gray values: bits, for one.
    ///
    /// # Errors
    /// Those of [`Tensor::from_image`].
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use image::GrayImage;
    /// use looplets::{Bitmap, Dense, Pattern, Tensor};
    ///
    /// let image = GrayImage::from_raw(3, 2, vec![9, 200, 255, 0, 130, 7]).unwrap();
    /// let bits: Tensor<Dense<Bitmap<Pattern>>> = Tensor::from_image_by(&image, |gray| gray >= 128)?;
    /// assert_eq!(bits.to_dense(), [false, true, true, false, true, false]);
    /// let black_and_white = bits.to_image_by(|bit| if bit { 255u8 } else { 0 })?;
    /// assert_eq!(black_and_white.as_raw(), &[0, 255, 255, 0, 255, 0]);
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn from_image_by<G, C>(
        image: &ImageBuffer<Luma<G>, C>,
        mut value: impl FnMut(G) -> L::Value,
    ) -> Result<Self, Error>
    where
        G: Primitive,
        C: Deref<Target = [G]>,
    {
        rank::<L>(2)?;
        let shape = [image.height() as usize, image.width() as usize];
        let fill = L::fill();
        let mut entries = Entries::new(&shape);
        let mut push = |i: usize, run: Option<(usize, usize, L::Value)>| {
            if let Some((start, stop, value)) = run.filter(|run| !identical(&run.2, &fill)) {
                entries.push_run(&[i, start], stop, value);
            }
        };
        for (i, row) in image.rows().enumerate() {
            let mut run: Option<(usize, usize, L::Value)> = None;
            for (j, pixel) in row.enumerate() {
                let value = value(pixel.0[0]);
                match &mut run {
                    Some((_, stop, last)) if identical(last, &value) => *stop = j + 1,
                    _ => push(i, run.replace((j, j + 1, value))),
                }
            }
            push(i, run);
        }
        Self::from_sorted(&entries, Others::Fill)
    }

    /// The tensor as an image, in the inverse of [`Tensor::from_image`].
    ///
    /// Linear in the number of pixels.
    ///
    /// # Errors
    /// [`Error::Rank`] unless there are two dimensions, and [`Error::TooLarge`] for a size that an image cannot have.
    pub fn to_image(&self) -> Result<Gray<L::Value>, Error>
    where
        L::Value: Primitive,
    {
        self.to_image_by(|gray| gray)
    }

    /// [`Tensor::to_image`] with the gray values that `gray` gives for values.
    ///
    /// # Errors
    /// Those of [`Tensor::to_image`].
    pub fn to_image_by<G: Primitive>(
        &self,
        mut gray: impl FnMut(L::Value) -> G,
    ) -> Result<Gray<G>, Error> {
        rank::<L>(2)?;
        let shape = self.shape();
        let too_large = || Error::TooLarge { shape: shape.clone() };
        let (height, width) = (shape[0], shape[1]);
        let count = height.checked_mul(width).ok_or_else(too_large)?;
        let mut pixels = Vec::new();
        crate::level::grow(&mut pixels, count, gray(L::fill())).map_err(|_| too_large())?;
        self.for_each_run(|coords, stop, value| {
            let row = coords[0] * width;
            pixels[row + coords[1]..row + stop].fill(gray(value.clone()));
        });
        image(&shape, pixels)
    }
}

/// The image of these pixels.
fn image<G: Primitive>(shape: &[usize], pixels: Vec<G>) -> Result<Gray<G>, Error> {
    let size = |n: usize| u32::try_from(n).ok();
    let sizes = size(shape[1]).zip(size(shape[0]));
    let made = sizes.and_then(|(width, height)| ImageBuffer::from_raw(width, height, pixels));
    made.ok_or_else(|| Error::TooLarge { shape: shape.to_vec() })
}

/// The pixels move.
///
/// ```
/// # use looplets_formats as looplets;
/// use image::GrayImage;
/// use looplets::DenseMat;
///
/// let image = GrayImage::from_raw(2, 1, vec![3, 4]).unwrap();
/// let pixels = image.as_raw().as_ptr();
/// let a: DenseMat<u8> = image.into();
/// assert_eq!(a.shape(), [1, 2]);
/// let image: GrayImage = a.try_into()?;
/// assert_eq!(image.as_raw().as_ptr(), pixels);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Primitive + 'static, F: Fill<T>> From<Gray<T>> for DenseMat<T, F> {
    fn from(image: Gray<T>) -> Self {
        let (height, width) = (image.height() as usize, image.width() as usize);
        let mut pixels = image.into_raw();
        // There may be more of them than the image shows.
        pixels.truncate(height * width);
        let made = Tensor::from_parts(Dense::new(height, Dense::new(width, Element::new(pixels))));
        made.unwrap_or_else(|_| unreachable!("there are as many pixels as elements"))
    }
}

/// The values move.
///
/// # Errors
/// [`Error::TooLarge`] for a size that an image cannot have.
impl<T: Primitive + 'static, F: Fill<T>> TryFrom<DenseMat<T, F>> for Gray<T> {
    type Error = Error;

    fn try_from(a: DenseMat<T, F>) -> Result<Self, Error> {
        let (height, below) = a.into_root().into_parts();
        let (width, leaf) = below.into_parts();
        image(&[height, width], leaf.into_parts().0)
    }
}
